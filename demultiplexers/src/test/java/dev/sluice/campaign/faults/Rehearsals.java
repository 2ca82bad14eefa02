package dev.sluice.campaign.faults;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.handle.OpenDescriptors;
import dev.sluice.system.Scratch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Plays scenarios, and looks at what they leave behind. All are played by the same thread, which has its memory for
 * calls already, as long as it comes back.
 */
final class Rehearsals implements AutoCloseable {

    private static final Duration DEADLINE = Duration.ofSeconds(120);
    private static final Duration A_WHILE = Duration.ofSeconds(30);
    /** Of JNA, of the JVM since JNA has started {@code ldconfig}, and from Java 26 on for buffers: how names begin. */
    private static final List<String> FOREIGN = List.of("JNA Cleaner", "process reaper", "InnocuousThread");

    private final FaultyCalls calls;
    private final Binding real = Bindings.current();
    private ExecutorService player = newPlayer();
    private volatile Thread playing;

    Rehearsals(FaultyCalls calls) {
        this.calls = calls;
        Bindings.use(calls.binding());
    }

    private static ExecutorService newPlayer() {
        return Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "player");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Plays without faults, and without the check for leaks: resources that the first use allocates are never released.
     */
    void prepare(Scenario scenario, String demultiplexer, Path directory) throws Exception {
        perform(scenario, demultiplexer, null, directory, new ArrayList<>());
    }

    /** {@return what is wrong afterwards} */
    List<String> play(Scenario scenario, String demultiplexer, Fault fault, Path directory) throws Exception {
        OpenDescriptors descriptors = OpenDescriptors.now();
        Set<Thread> threads = Thread.getAllStackTraces().keySet();
        long bytes = bytesInUse();
        List<String> problems = new ArrayList<>();
        if (perform(scenario, demultiplexer, fault, directory, problems)) {
            compareDescriptors(descriptors, problems);
            compareThreads(threads, problems);
            compareMemory(bytes, problems);
        }
        return problems;
    }

    /** {@return whether it has returned} */
    private boolean perform(Scenario scenario, String demultiplexer, Fault fault, Path directory,
            List<String> problems) throws Exception {
        player.submit(() -> playing = Thread.currentThread()).get();
        Files.deleteIfExists(directory.resolve("socket"));
        Future<List<String>> rehearsal = player.submit(() -> playInThread(scenario, demultiplexer, fault, directory));
        try {
            problems.addAll(rehearsal.get(DEADLINE.toSeconds(), TimeUnit.SECONDS));
        } catch (TimeoutException e) {
            StringBuilder trace = new StringBuilder();
            for (StackTraceElement frame : playing.getStackTrace()) {
                trace.append("\n        at ").append(frame);
            }
            problems.add("does not return:" + trace);
            player.shutdownNow();
            player = newPlayer();
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(fault + " broke the campaign itself", e.getCause());
        }
        calls.heal();
        return true;
    }

    private List<String> playInThread(Scenario scenario, String demultiplexer, Fault fault, Path directory) {
        calls.begin(fault);
        Stage stage = new Stage(demultiplexer, calls, fault, directory);
        boolean harmless = fault == null || fault.injected().harmless();
        try {
            scenario.play().on(stage);
        } catch (Throwable e) {
            note(stage, "threw", e, harmless);
        }
        try {
            stage.close();
        } catch (Throwable e) {
            note(stage, "close threw", e, harmless);
        }
        return stage.ledger().problems();
    }

    private static void note(Stage stage, String what, Throwable failure, boolean harmless) {
        if (harmless || !Outcome.isLegitimate(failure)) {
            stage.ledger().problem(what + " " + failure + Ledger.at(failure));
        }
    }

    private static void compareDescriptors(OpenDescriptors before, List<String> problems) throws Exception {
        String leaked = OpenDescriptors.now().without(before);
        // What another thread is still closing.
        for (long end = end(); !leaked.isEmpty() && System.nanoTime() < end; Thread.sleep(10)) {
            leaked = OpenDescriptors.now().without(before);
        }
        if (!leaked.isEmpty()) {
            problems.add("leaked " + leaked);
        }
    }

    private static long end() {
        return System.nanoTime() + A_WHILE.toNanos();
    }

    private static void compareThreads(Set<Thread> before, List<String> problems) throws InterruptedException {
        Set<Thread> now = new HashSet<>(Thread.getAllStackTraces().keySet());
        now.removeAll(before);
        for (Thread thread : now) {
            if (FOREIGN.stream().noneMatch(thread.getName()::startsWith)) {
                thread.join(A_WHILE.toMillis());
                if (thread.isAlive()) {
                    problems.add("leaked " + thread);
                }
            }
        }
    }

    /** {@return the size of native memory without the pools, which keep what calls have needed at the same time} */
    private static long bytesInUse() {
        return MemoryBlock.openBytes() - Scratch.pooledBytes();
    }

    private static void compareMemory(long before, List<String> problems) throws InterruptedException {
        // That of dead threads comes back with the garbage collector.
        for (long end = end(); bytesInUse() > before && System.nanoTime() < end; Thread.sleep(10)) {
            System.gc();
        }
        if (bytesInUse() > before) {
            problems.add("leaked " + (bytesInUse() - before) + " bytes");
        }
    }

    @Override
    public void close() {
        Bindings.use(real);
        player.shutdownNow();
    }
}
