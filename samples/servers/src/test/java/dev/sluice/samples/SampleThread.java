package dev.sluice.samples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.fail;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Platform;
import dev.sluice.eventloop.OsSignal;
import dev.sluice.samples.server.Signals;
import dev.sluice.samples.server.Surroundings;
import dev.sluice.testing.Pause;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.channels.Channels;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A sample in this JVM, with output, signals and threads of its own. It starts in milliseconds, where a process takes
 * the better part of a second.
 */
final class SampleThread implements RunningSample, Signals {

    private static final int FAILED = 1;
    /** A thread for the whole JVM, which JNA starts at its first use and ends half a minute after the last one. */
    private static final String OF_JNA = "JNA Cleaner";

    private final ThreadGroup group = new ThreadGroup("sample");
    private final CapturedOutput output;
    private final CapturedOutput errors;
    private final Map<OsSignal, List<Handler>> handlers = new ConcurrentHashMap<>();
    private final ProcessFigures figures = ProcessFigures.ofThisJvmFromNowOn();
    private final Thread main;
    private volatile int exitCode = FAILED;
    private boolean closed;

    /** What a signal calls, and which loop calls it. */
    private record Handler(Executor loop, Runnable task) {
    }

    private SampleThread(CapturedOutput output, CapturedOutput errors, Supplier<Platform.Os> system,
            String[] arguments) {
        this.output = output;
        this.errors = errors;
        main = new Thread(group, () -> run(system, arguments), "main of a sample");
    }

    static SampleThread start(String... arguments) {
        return start(new CapturedOutput(Patience.LIMIT), arguments);
    }

    static SampleThread start(CapturedOutput output, String... arguments) {
        return start(output, new CapturedOutput(Patience.LIMIT), arguments);
    }

    static SampleThread start(CapturedOutput output, CapturedOutput errors, String... arguments) {
        return start(output, errors, () -> Bindings.current().os(), arguments);
    }

    static SampleThread start(CapturedOutput output, CapturedOutput errors, Supplier<Platform.Os> system,
            String... arguments) {
        SampleThread sample = new SampleThread(output, errors, system, arguments);
        SampleDescriptors.opened();
        sample.main.start();
        return sample;
    }

    private void run(Supplier<Platform.Os> system, String[] arguments) {
        SampleErrors.capture(errors);
        PrintStream out = new PrintStream(output.stream(), true, UTF_8);
        try {
            Surroundings surroundings = new Surroundings(out, Channels.newChannel(output.stream()), this,
                    system);
            exitCode = Main.commandLine(arguments, surroundings).setOut(new PrintWriter(out, true))
                    .setErr(new PrintWriter(errors.stream(), true, UTF_8)).execute(arguments);
        } catch (Throwable e) {
            group.uncaughtException(main, e);
        }
    }

    @Override
    public void register(Executor loop, BiConsumer<OsSignal, Runnable> registration, OsSignal signal, Runnable task) {
        handlers.computeIfAbsent(signal, key -> new CopyOnWriteArrayList<>())
                .add(new Handler(loop, task));
    }

    /** Waits first until the sample handles the signal, which would end a process before. */
    private void raise(OsSignal signal) {
        Pause pause = new Pause();
        long end = System.nanoTime() + Patience.LIMIT.toNanos();
        while (handlers.getOrDefault(signal, List.of()).isEmpty() && main.isAlive() && System.nanoTime() - end < 0) {
            pause.next();
        }
        List<Handler> all = handlers.getOrDefault(signal, List.of());
        assertFalse(all.isEmpty(), () -> signal + " would end the process: it is not handled");
        for (Handler each : all) {
            try {
                each.loop.execute(each.task);
            } catch (RejectedExecutionException e) {
                // The loop has ended, and takes no signals any more.
                continue;
            }
        }
    }

    @Override
    public void signal(String name) {
        raise(OsSignal.valueOf(name));
    }

    @Override
    public void terminate() {
        raise(OsSignal.TERM);
    }

    @Override
    public void interrupt() {
        raise(OsSignal.INT);
    }

    @Override
    public void hangUp() {
        raise(OsSignal.HUP);
    }

    @Override
    public CapturedOutput output() {
        return output;
    }

    @Override
    public CapturedOutput errors() {
        return errors;
    }

    @Override
    public ProcessFigures figures() {
        return figures;
    }

    @Override
    public boolean isAlive() {
        return main.isAlive();
    }

    /** Waits for the end of the sample and of all its threads, which a process would end. */
    @Override
    public int awaitExit() throws InterruptedException {
        long end = System.nanoTime() + Patience.LIMIT.toNanos();
        for (Thread each = main; each != null; each = anyThread()) {
            each.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
            if (System.nanoTime() - end > 0) {
                fail("still running after " + Patience.LIMIT + ":" + threads() + "\non standard error: "
                        + errors.text());
            }
        }
        output.end();
        errors.end();
        return exitCode;
    }

    private Thread anyThread() {
        return all().findAny().orElse(null);
    }

    private Stream<Thread> all() {
        Thread[] found = new Thread[group.activeCount() + 16];
        group.enumerate(found);
        return Arrays.stream(found).filter(each -> each != null && !each.getName().equals(OF_JNA));
    }

    private String threads() {
        return all().map(each -> "\n" + each + Arrays.stream(each.getStackTrace()).map(at -> "\n    at " + at)
                .collect(Collectors.joining())).collect(Collectors.joining());
    }

    /** Interrupts the thread that waits for the stop, so that connections get no time to finish. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            output.release();
            main.interrupt();
            awaitExit();
            SampleDescriptors.closed();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
