package dev.sluice.campaign.faults;

import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.eventloop.EventLoop;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.proactor.Proactor;
import dev.sluice.reactor.Reactor;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Where a scenario is played: its loop, its peers and what else it has opened. */
final class Stage implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration TURN = Duration.ofMillis(2);
    /** How long a lasting shortage lasts from its first effect on. */
    private static final Duration SHORTAGE = Duration.ofMillis(40);
    private static final Duration IDLE = Duration.ofMillis(12);
    /** The most calls in one millisecond of waiting that do not count as spinning. */
    private static final int CALLS_PER_MILLISECOND = 8;
    private static final int CALLS_AT_ONCE = 60;

    private final String demultiplexer;
    private final FaultyCalls calls;
    private final boolean shortage;
    private final boolean harmless;
    private final Path directory;
    private final Ledger ledger = new Ledger();
    private final Deque<Closeable> owned = new ArrayDeque<>();
    private final List<Peer> peers = new ArrayList<>();
    private FarServer server;
    private EventLoop loop;
    private long shortageBegan;
    private int struckAtBegin;

    /**
     * Creates a stage on which nothing is open.
     *
     * @param demultiplexer by name
     * @param calls         that go wrong
     * @param fault         what goes wrong, null if nothing does
     * @param directory     for files
     */
    Stage(String demultiplexer, FaultyCalls calls, Fault fault, Path directory) {
        this.demultiplexer = demultiplexer;
        this.calls = calls;
        this.shortage = fault != null && fault.lasts();
        this.harmless = fault == null || fault.injected().harmless();
        this.directory = directory;
    }

    Ledger ledger() {
        return ledger;
    }

    Path file(String name) {
        return directory.resolve(name);
    }

    Reactor reactor() throws IOException {
        Reactor reactor = Reactor.open(demultiplexer);
        loop = reactor;
        return reactor;
    }

    Proactor proactor() throws IOException {
        Proactor proactor = Proactor.open(demultiplexer);
        loop = proactor;
        return proactor;
    }

    /** {@return what is closed after the loop} */
    <T extends Closeable> T own(T resource) {
        owned.push(resource);
        return resource;
    }

    SocketAcceptor listener() throws IOException {
        return own(SocketAcceptor.open(anyPort()));
    }

    /** {@return an acceptor of Unix domain sockets, or where the system need not have these, of TCP} */
    SocketAcceptor localListener() throws IOException {
        return CalledSystem.isWindows() ? listener()
                : own(SocketAcceptor.open(UnixDomainSocketAddress.of(file("socket"))));
    }

    static SocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    Peer peer(SocketAddress address, byte[] says, byte[] expected) throws IOException {
        Peer peer = own(new Peer(ledger, address, says, expected));
        peers.add(peer);
        return peer;
    }

    FarServer server() throws IOException {
        server = own(new FarServer());
        return server;
    }

    /** Runs the loop, and the peers in between, until it has happened. */
    void until(String what, BooleanSupplier happened) throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!happened.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                ledger.problem("stuck: " + what + " does not happen; " + peers);
                return;
            }
            runIteration();
        }
    }

    private void runIteration() throws IOException {
        for (Peer peer : peers) {
            peer.runIteration();
        }
        if (server != null) {
            server.runIteration();
        }
        if (shortage) {
            endShortage();
        }
        loop.runOnce(TURN);
    }

    private void endShortage() {
        int struck = calls.struck();
        if (struck == 0) {
            return;
        }
        if (shortageBegan == 0) {
            shortageBegan = System.nanoTime();
            struckAtBegin = struck;
        }
        long lasted = System.nanoTime() - shortageBegan;
        if (lasted > SHORTAGE.toNanos()) {
            requireFew("during a shortage", struck - struckAtBegin, lasted);
            calls.heal();
        }
    }

    /** A registration, or the start of an operation. */
    interface Beginning {
        /** Tries it. */
        void attempt() throws IOException;
    }

    /** Begins something whose entry need not end if this throws. */
    void register(Ledger.Entry entry, Beginning beginning) throws IOException {
        try {
            beginning.attempt();
        } catch (Throwable e) {
            entry.refuse();
            throw e;
        }
    }

    /** Says what has to be so unless something harmful has happened. */
    void require(String what, boolean met) {
        if (!met && harmless) {
            ledger.problem("not so: " + what);
        }
    }

    /** Says that these have got all their bytes, unless something harmful has happened. */
    void satisfied(Peer... all) {
        for (Peer peer : all) {
            require(peer + " is satisfied", peer.isSatisfied());
        }
    }

    /**
     * From now on nothing goes wrong: a listener that is open has its newcomers served, whatever has happened to it.
     * One that cannot go on has been closed.
     *
     * @param listener of echo servers
     */
    void servesNewcomers(SocketAcceptor listener) throws IOException {
        calls.heal();
        if (listener.handle().isOpen()) {
            byte[] message = "newcomer".getBytes(StandardCharsets.US_ASCII);
            Peer newcomer = peer(listener.localAddress(), message, message);
            until("the echo to a newcomer", newcomer::isDone);
            if (!newcomer.isSatisfied() && listener.handle().isOpen()) {
                ledger.problem("not served, although the listener is open: " + newcomer);
            }
        } else {
            require("the listener is open", false);
        }
    }

    /**
     * From now on nothing goes wrong: a datagram socket that is open has its newcomers answered.
     *
     * @param socket of a server that sends datagrams back
     */
    void answersNewcomers(SocketDatagram socket) throws IOException {
        calls.heal();
        if (!socket.handle().isOpen()) {
            require("the datagram socket is open", false);
            return;
        }
        try (DatagramChannel newcomer = DatagramChannel.open()) {
            newcomer.connect(socket.localAddress()).configureBlocking(false);
            newcomer.write(ByteBuffer.allocate(1));
            ByteBuffer answer = ByteBuffer.allocate(2);
            until("the answer to a newcomer", () -> {
                try {
                    return newcomer.read(answer) > 0;
                } catch (IOException e) {
                    // The socket has been closed in the meantime.
                    return !socket.handle().isOpen();
                }
            });
        }
    }

    /** Nothing is left to do: the loop has to sleep, once it has done what a fault has held up. A spin does not end. */
    void idle() throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        long count;
        long lasted;
        do {
            runIteration();
            long before = calls.total();
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < IDLE.toNanos()) {
                loop.runOnce(IDLE);
            }
            count = calls.total() - before;
            lasted = System.nanoTime() - begin;
        } while (areMany(count, lasted) && System.nanoTime() - end < 0);
        requireFew("while nothing was to be done", count, lasted);
    }

    private void requireFew(String when, long count, long nanos) {
        if (areMany(count, nanos)) {
            ledger.problem("spins: " + count + " calls " + when + ", " + Duration.ofNanos(nanos));
        }
    }

    private static boolean areMany(long count, long nanos) {
        return count > CALLS_AT_ONCE + CALLS_PER_MILLISECOND * Duration.ofNanos(nanos).toMillis();
    }

    /** Closes the loop, which ends all that is going on, and then all that the scenario owns. */
    @Override
    public void close() throws IOException {
        if (shortage) {
            calls.heal();
        }
        try {
            if (loop != null) {
                loop.close();
            }
        } finally {
            while (!owned.isEmpty()) {
                owned.pop().close();
            }
        }
    }
}
