package dev.sluice.stages.io;

import dev.sluice.calls.SmallJvm;
import dev.sluice.eventloop.LoopRunner;
import dev.sluice.handle.MemoryInUse;
import dev.sluice.handle.OpenDescriptors;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.proactor.Proactor;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageAccount;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageHandler;
import dev.sluice.stages.StageOptions;
import dev.sluice.stages.StopReport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A staged echo in a JVM of its own, which never waits for a peer: what cannot be sent to one is dropped. It serves
 * until it is told to end, and then says what it has lost or left behind.
 */
public final class FloodedEcho {

    /** As an argument: packets hold the proactor's buffers, and are sent out of them. */
    static final String LENDING = "lending";
    static final String PORT = "port ";
    static final String COUNTS = "counts ";
    static final String ENDED = "ended ";
    static final String IN_ORDER = "in order";
    /** A packet that begins with it is not handled: the handler throws, and the connection is closed. */
    static final byte POISON = -1;

    private static final String NAME = "echo";
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    /** Of the application's queue; together 4 MiB at most. */
    private static final int CAPACITY = 256;
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final boolean lending;
    private final Echo echo;
    private final StringBuilder problems = new StringBuilder();
    /** Of the stage of the application. */
    private StageAccount account;

    private FloodedEcho(boolean lending) {
        this.lending = lending;
        echo = new Echo(lending);
    }

    /** Counts what the graph counts as well, and what it has dropped. */
    private static final class Echo implements StageHandler<SocketEvent> {

        private final AtomicLong handled = new AtomicLong();
        private final AtomicLong failed = new AtomicLong();
        private final AtomicLong discarded = new AtomicLong();
        private final AtomicLong dropped = new AtomicLong();
        private final boolean lending;
        private volatile EventQueue<SocketEvent> queue;

        Echo(boolean lending) {
            this.lending = lending;
        }

        @Override
        public void handleEvents(EventBatch<SocketEvent> batch) {
            for (SocketEvent event = batch.next(); event != null; event = batch.next()) {
                if (event instanceof AsyncConnection connection) {
                    connection.startReading(queue);
                } else if (event instanceof Packet packet) {
                    send(packet);
                } else if (event instanceof PacketSent sent) {
                    ((Packet) sent.token()).release();
                } else if (event instanceof EndOfInput ended) {
                    ended.connection().closeAfterSending();
                }
                handled.incrementAndGet();
            }
        }

        private void send(Packet packet) {
            ByteBuffer bytes = packet.bytes();
            if (bytes.get(bytes.position()) == POISON) {
                throw new IllegalStateException("poison");
            }
            if (lending) {
                packet.retain();
            }
            if (packet.connection().send(bytes, packet, lending ? queue : null) != EnqueueResult.ACCEPTED) {
                dropped.incrementAndGet();
                if (lending) {
                    packet.release();
                }
            }
        }

        @Override
        public void handleFailure(SocketEvent event, Throwable cause) {
            failed.incrementAndGet();
            if (event instanceof Packet packet) {
                packet.connection().close();
            }
        }

        @Override
        public void handleDiscarded(SocketEvent event) {
            discarded.incrementAndGet();
        }

        @Override
        public boolean isExclusive() {
            return true;
        }
    }

    /**
     * Serves until there is something to read on standard input, or its other end is closed.
     *
     * @param arguments {@link #LENDING} or nothing, and the name of the demultiplexer, or nothing for the usual one
     */
    public static void main(String[] arguments) throws Exception {
        prepare();
        OpenDescriptors descriptors = OpenDescriptors.now();
        long memory = MemoryInUse.bytes();
        List<String> rest = new ArrayList<>(List.of(arguments));
        FloodedEcho flooded = new FloodedEcho(rest.remove(LENDING));
        flooded.serve(rest);
        flooded.compare("bytes of native memory", memory, MemoryInUse::bytes);
        String leaked = OpenDescriptors.now().without(descriptors);
        if (!leaked.isEmpty()) {
            flooded.problem("left open: " + leaked.replace('\n', ','));
        }
        say(COUNTS + flooded.counts());
        say(ENDED + (flooded.problems.isEmpty() ? IN_ORDER : flooded.problems));
    }

    /** Makes the facades allocate what they keep for later calls, and makes Java open the socket that it keeps. */
    private static void prepare() throws IOException {
        SocketChannel.open().close();
        SocketAcceptor.open(ANY_PORT).close();
        try (Pipe pipe = Pipe.open()) {
            pipe.send(ByteBuffer.allocate(1));
        }
    }

    private static void say(String line) {
        System.out.println(SmallJvm.MARK + line);
    }

    private void problem(String what) {
        problems.append(what).append("; ");
    }

    private void compare(String what, long expected, LongSupplier actual) throws InterruptedException {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (actual.getAsLong() != expected && System.nanoTime() - end < 0) {
            Thread.sleep(10);
        }
        if (actual.getAsLong() != expected) {
            problem(what + ": " + actual.getAsLong() + ", not " + expected);
        }
    }

    private void serve(List<String> demultiplexer) throws Exception {
        try (Proactor proactor = demultiplexer.isEmpty() ? Proactor.open() : Proactor.open(demultiplexer.get(0));
                LoopRunner loop = new LoopRunner(proactor)) {
            StageGraph graph = new StageGraph("flooded echo");
            SocketStages sockets = new SocketStages(graph, "tcp", proactor,
                    lending ? new SocketOptions().zeroCopyPackets() : new SocketOptions());
            Stage<SocketEvent> stage = graph.add(NAME, SocketEvent.class, echo,
                    new StageOptions<SocketEvent>().capacity(CAPACITY));
            echo.queue = stage.queue();
            AsyncServerSocket server = new AsyncServerSocket(sockets, ANY_PORT, stage.queue());
            graph.start();
            say(PORT + ((InetSocketAddress) server.localAddress()).getPort());
            System.in.read();
            // Without connections, one place is taken for the connection that may come next.
            compare("connections", 1, sockets::connections);
            StopReport report = graph.stop(TIMEOUT);
            if (!report.isDrained()) {
                problem("not drained: " + report);
            }
            compare("connections after the stop", 0, sockets::connections);
            compare("buffers kept after the stop", 0, () -> sockets.retained.count());
            report.stages().forEach(this::check);
        }
    }

    private void check(StageAccount each) {
        if (each.accepted() != each.handled() + each.failed() + each.discarded()) {
            problem("events lost: " + each);
        }
        if (!each.stage().equals(NAME)) {
            return;
        }
        account = each;
        // The packets of a closed connection are discarded without a word to the handler.
        if (each.handled() != echo.handled.get() || each.failed() != echo.failed.get()
                || each.discarded() < echo.discarded.get()) {
            problem("miscounted: " + each + ", but the handler has handled " + echo.handled + ", failed on "
                    + echo.failed + " and been notified of " + echo.discarded);
        }
    }

    private String counts() {
        return "accepted " + account.accepted() + " failed " + account.failed() + " discarded " + account.discarded()
                + " dropped " + echo.dropped;
    }
}
