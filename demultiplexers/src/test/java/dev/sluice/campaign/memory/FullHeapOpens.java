package dev.sluice.campaign.memory;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.MemoryBudget;
import dev.sluice.calls.SmallJvm;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.handle.MemoryInUse;
import dev.sluice.handle.OpenDescriptors;
import dev.sluice.reactor.Connection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * A program that opens and uses something while its heap is full, with more and more of it left: sooner or later each
 * object lacks its memory. When there is memory again, it closes what it has opened, and looks for what is left.
 */
final class FullHeapOpens {

    /** What is opened besides a demultiplexer: native memory. */
    static final String MEMORY = "memory";
    /** What is only used without memory, and was opened before: a synchronous demultiplexer. */
    static final String OPENED = "opened";
    static final String NOTHING_LEFT = "nothing is left";

    /** What is compiled at the 128th use is compiled then. */
    private static final int ROUNDS_IN_PEACE = 130;
    /** Number of consecutive successes, each with more memory, after which nothing is short any more. */
    private static final int SUCCESSES = 3;
    private static final int LARGEST = 1 << 20;
    private static final int SMALLEST = 16;
    /** Each size ends with a collection of all garbage, and there is none. */
    private static final int RATIO = 16;
    private static final int LOOKS = 100;
    private static final int LOOK_MILLIS = 10;
    private static final int MAX_LEFT = 1 << 20;

    /** In place of a number of bytes: there is enough. */
    private static final int IN_PEACE = -1;

    private static final Object[] HOARD = new Object[100_000];
    private static int hoarded;
    private static volatile byte[] room;

    /** What is opened, used, and closed. */
    private abstract static class Subject {

        /** Called while there is memory. */
        void prepare() throws IOException {
        }

        abstract void open() throws IOException;

        abstract void use() throws IOException;

        /** Closes what has been opened, and what has not been closed by an earlier call. */
        abstract void close();
    }

    private FullHeapOpens() {
    }

    /**
     * Opens, with the given steps between the bytes that are left.
     *
     * @param arguments the first number of bytes, the least distance to the next, the distance as a part of the
     *                  number, a {@link Mode}, {@link #MEMORY} or
     *                  {@link #OPENED}, and the name of a demultiplexer
     */
    public static void main(String[] arguments) throws Exception {
        int first = Integer.parseInt(arguments[0]);
        int step = Integer.parseInt(arguments[1]);
        double growth = Double.parseDouble(arguments[2]);
        try (Connection connection = Connection.tcp()) {
            Subject subject = arguments[3].equals(MEMORY) ? new Memory()
                    : arguments[3].equals(OPENED) ? new Readiness(arguments[4], connection, true)
                    : arguments[3].equals(Mode.SYNCHRONOUS.name()) ? new Readiness(arguments[4], connection, false)
                    : new Completion(arguments[4], connection);
            // What a catch block names is loaded when it is first needed.
            play(new Failing(), IN_PEACE);
            for (int i = 0; i < ROUNDS_IN_PEACE; i++) {
                if (play(subject, IN_PEACE) != null) {
                    throw new IllegalStateException("too little heap for " + arguments[3]);
                }
            }
            String end = NOTHING_LEFT;
            int successes = 0;
            for (int left = first; successes < SUCCESSES && left < MAX_LEFT;
                    left += Math.max(step, (int) (left * growth))) {
                String leaked = round(subject, left);
                if (leaked == null) {
                    successes++;
                } else {
                    successes = 0;
                    end = leaked.isEmpty() ? end : end + "; with " + left + " bytes of heap: " + leaked;
                }
            }
            System.out.println(SmallJvm.MARK + (successes < SUCCESSES ? "never succeeds; " : "") + end);
        }
    }

    /** {@return what is left after a failure; null if it has not failed} */
    private static String round(Subject subject, int left) throws Exception {
        OpenDescriptors descriptors = OpenDescriptors.now();
        long mappings = mappings();
        long bytes = MemoryInUse.bytes();
        long budget = MemoryBudget.CURRENT.used();
        Throwable failure = play(subject, left);
        subject.close();
        String leaked = "";
        for (int looks = LOOKS; looks > 0; looks--) {
            leaked = "";
            if (MemoryInUse.bytes() > bytes) {
                leaked += MemoryInUse.bytes() - bytes + " bytes of blocks ";
            }
            if (MemoryBudget.CURRENT.used() > budget) {
                leaked += MemoryBudget.CURRENT.used() - budget + " bytes of the budget ";
            }
            if (mappings() > mappings) {
                leaked += mappings() - mappings + " mappings ";
            }
            leaked += OpenDescriptors.now().without(descriptors);
            if (leaked.isEmpty()) {
                return failure == null ? null : leaked;
            }
            // What had no heap to be closed or freed is left to the next one; and JNA leaves memory to the collector.
            play(subject, IN_PEACE);
            System.gc();
            Thread.sleep(LOOK_MILLIS);
        }
        return leaked;
    }

    /** Opens and uses. */
    private static Throwable play(Subject subject, int left) throws IOException {
        Throwable failure = null;
        subject.prepare();
        if (left != IN_PEACE) {
            room = new byte[left];
            fill();
            room = null;
        }
        try {
            subject.open();
            subject.use();
        } catch (OutOfMemoryError e) {
            failure = e;
        }
        try {
            subject.close();
        } catch (OutOfMemoryError e) {
            failure = e;
        }
        Arrays.fill(HOARD, null);
        hoarded = 0;
        return failure;
    }

    /** Takes all memory, to the last few bytes. */
    private static void fill() {
        for (int size = LARGEST; size >= SMALLEST; size /= RATIO) {
            try {
                while (hoarded < HOARD.length) {
                    HOARD[hoarded] = new byte[size];
                    hoarded++;
                }
            } catch (OutOfMemoryError e) {
                // Smaller ones may find a place.
                continue;
            }
        }
    }

    private static long mappings() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains("io_uring")).count();
        }
    }

    private static final class Failing extends Subject {

        @Override
        void open() {
            throw new OutOfMemoryError("thrown by the test");
        }

        @Override
        void use() {
            throw new AssertionError("it is not open");
        }

        @Override
        void close() {
            throw new OutOfMemoryError("thrown by the test");
        }
    }

    private static final class Memory extends Subject {

        private MemoryBlock block;

        @Override
        void open() {
            block = Bindings.current().memory().allocate(1);
        }

        @Override
        void use() {
            // That it is there is enough.
        }

        @Override
        void close() {
            if (block != null) {
                block.close();
                block = null;
            }
        }
    }

    private static final class Readiness extends Subject {

        private final String name;
        private final Connection connection;
        private final boolean openedBefore;
        private SynchronousEventDemultiplexer opened;
        private ReadyBatch batch;

        Readiness(String name, Connection connection, boolean openedBefore) {
            this.name = name;
            this.connection = connection;
            this.openedBefore = openedBefore;
        }

        @Override
        void prepare() throws IOException {
            if (openedBefore) {
                opened = OpenedDemultiplexers.openSynchronous(name);
            }
        }

        @Override
        void open() throws IOException {
            if (!openedBefore) {
                opened = OpenedDemultiplexers.openSynchronous(name);
            }
        }

        @Override
        void use() throws IOException {
            opened.register(connection.near().handle(), EventType.READ, null);
            batch = opened.newReadyBatch(1);
            opened.awaitReady(batch, 0);
        }

        @Override
        void close() {
            if (opened != null) {
                opened.close();
                opened = null;
            }
            if (batch != null) {
                batch.close();
                batch = null;
            }
        }
    }

    private static final class Completion extends Subject {

        private final String name;
        private final Connection connection;
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(1);
        private AsynchronousEventDemultiplexer opened;
        private Completions batch;

        Completion(String name, Connection connection) {
            this.name = name;
            this.connection = connection;
        }

        @Override
        void open() throws IOException {
            opened = OpenedDemultiplexers.openAsynchronous(name);
        }

        @Override
        void use() throws IOException {
            batch = opened.newCompletions(1);
            opened.newOperation().receive(opened.associate(connection.near().handle()), buffer);
            opened.awaitCompletions(batch, 0);
        }

        @Override
        void close() {
            if (batch != null) {
                batch.close();
                batch = null;
            }
            if (opened != null) {
                opened.close(last -> { });
                opened = null;
            }
        }
    }
}
