package dev.sluice.campaign.memory;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.SmallJvm;
import dev.sluice.eventloop.Closable;
import dev.sluice.handle.MemoryInUse;
import dev.sluice.handle.OpenDescriptors;
import dev.sluice.reactor.Connection;
import dev.sluice.testing.FullStack;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Closes what is open, some of each kind in any order, while there is no heap, no native memory or no stack; then, when
 * there is, once more. Says how each round has ended.
 */
public final class ScarceClose {

    static final String IN_ORDER = "in order";

    private static final MemoryHog HOARD = new MemoryHog();
    private static final Duration A_WHILE = Duration.ofSeconds(20);
    private static final int ROUNDS_IN_PEACE = 60;
    private static final int MAX_CLOSABLES = 3;
    private static final int MAX_CONNECTIONS = 3;
    private static final int HEAP_LEFT = 8192;
    private static final int DIRECT_LEFT = 64 * 1024;
    private static final long STACK_BYTES = 256 * 1024;
    /** Frames of the recursion that are left again before something is closed. */
    private static final int MAX_FRAMES = 250;

    /** What there is none of. */
    private enum Shortage { OF_HEAP, OF_NATIVE_MEMORY, OF_STACK, OF_NOTHING }

    private final Random random;
    private final List<String> kinds;
    private final List<Closable> closables = new ArrayList<>();
    private final List<List<Connection>> connections = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private Throwable[] failures;
    private Shortage shortage = Shortage.OF_NOTHING;
    private int amount;

    private ScarceClose(Random random, List<String> kinds) {
        this.random = random;
        this.kinds = kinds;
    }

    /** {@return what makes it close something of a kind on a demultiplexer} */
    static String argument(Closable.Kind kind, String demultiplexer) {
        return kind + "=" + demultiplexer;
    }

    /**
     * Plays rounds.
     *
     * @param arguments a seed, how many rounds, and an {@link #argument} for each that there may be
     */
    public static void main(String[] arguments) throws Exception {
        long seed = Long.parseLong(arguments[0]);
        int rounds = Integer.parseInt(arguments[1]);
        List<String> kinds = List.of(arguments).subList(2, arguments.length);
        // The JDK opens a socket at the first close of another one, and keeps it: it is no leak of the first round.
        Connection.tcp().close();
        // The thread that frees collected memory is started with the first buffer, and stays.
        Bindings.current().memory().allocateBuffer(1);
        // What is loaded and linked at the first use, and compiled at the 128th, is there before memory is not.
        for (String kind : kinds) {
            for (int i = 0; i < ROUNDS_IN_PEACE; i++) {
                new ScarceClose(new Random(i), List.of(kind)).play(Shortage.OF_NOTHING);
            }
        }
        new ScarceClose(new Random(0), kinds).play(Shortage.OF_STACK);
        for (int i = 0; i < rounds; i++) {
            Random random = new Random(seed * 31 + i);
            ScarceClose round = new ScarceClose(random, kinds);
            String end;
            try {
                end = round.play(Shortage.values()[random.nextInt(Shortage.values().length - 1)]);
            } catch (Throwable e) {
                HOARD.awaitRelease();
                e.printStackTrace(System.out);
                end = e.toString();
            }
            System.out.println(SmallJvm.MARK + (end.equals(IN_ORDER) ? IN_ORDER : round + ": " + end));
        }
    }

    private String play(Shortage wanted) throws Exception {
        OpenDescriptors descriptors = OpenDescriptors.now();
        Set<Thread> threads = Thread.getAllStackTraces().keySet();
        long blocks = MemoryInUse.bytes();
        shortage = wanted;
        amount = random.nextInt(switch (wanted) {
            case OF_HEAP -> HEAP_LEFT;
            case OF_NATIVE_MEMORY -> DIRECT_LEFT;
            default -> MAX_FRAMES;
        });
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread player = new Thread(null, () -> {
            try {
                openAndClose();
            } catch (Throwable e) {
                failure.set(e);
            }
        }, "closes", STACK_BYTES);
        player.start();
        player.join();
        HOARD.awaitRelease();
        for (List<Connection> each : connections) {
            each.forEach(Connection::close);
        }
        if (failure.get() != null) {
            throw new IllegalStateException(failure.get());
        }
        return leaks(descriptors, threads, blocks);
    }

    private void openAndClose() throws Exception {
        int count = 1 + random.nextInt(MAX_CLOSABLES);
        for (int i = 0; i < count; i++) {
            String name = kinds.get(random.nextInt(kinds.size()));
            int separator = name.indexOf('=');
            List<Connection> own = new ArrayList<>();
            connections.add(own);
            for (int j = random.nextInt(MAX_CONNECTIONS + 1); j > 0; j--) {
                own.add(Connection.tcp());
            }
            closables.add(Closable.Kind.valueOf(name.substring(0, separator)).opening
                    .open(name.substring(separator + 1), own));
            names.add(name);
        }
        failures = new Throwable[count];
        switch (shortage) {
            case OF_HEAP -> {
                HOARD.keepHeap(amount);
                closeAll();
            }
            case OF_NATIVE_MEMORY -> {
                HOARD.keepDirect(amount);
                closeAll();
            }
            case OF_STACK -> FullStack.callWithFramesLeft(amount, this::closeAll);
            default -> closeAll();
        }
        HOARD.awaitRelease();
        // For the case that the next close hangs.
        System.out.println(this);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            order.add(i);
        }
        Collections.shuffle(order, random);
        for (int i : order) {
            closables.get(i).close();
            closables.get(i).assertAllNotified(connections.get(i).size());
        }
    }

    /** Allocates nothing. */
    private void closeAll() {
        for (int i = 0; i < failures.length; i++) {
            try {
                closables.get(i).close();
            } catch (OutOfMemoryError | StackOverflowError e) {
                failures[i] = e;
            }
        }
    }

    private static String leaks(OpenDescriptors descriptors, Set<Thread> threads, long blocks) throws Exception {
        String leaked = "";
        for (long end = System.nanoTime() + A_WHILE.toNanos(); System.nanoTime() - end < 0; Thread.sleep(1)) {
            Set<Thread> now = new HashSet<>(Thread.getAllStackTraces().keySet());
            now.removeAll(threads);
            leaked = OpenDescriptors.now().without(descriptors);
            if (!now.isEmpty()) {
                leaked += now;
            } else if (MemoryInUse.bytes() > blocks) {
                leaked += MemoryInUse.bytes() - blocks + " bytes";
                System.gc();
            }
            if (leaked.isEmpty()) {
                return IN_ORDER;
            }
        }
        return "leaked " + leaked;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(shortage + " (" + amount + ") at the close of " + names);
        for (int i = 0; failures != null && i < failures.length; i++) {
            text.append(", ").append(failures[i] == null ? "closed" : failures[i].toString());
        }
        return text.toString();
    }
}
