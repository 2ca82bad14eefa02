package dev.sluice.benchmarks.load;

import dev.sluice.reactor.Reactor;
import dev.sluice.samples.server.FileProblem;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Puts clients on a server. */
final class ClientsRun {

    private static final Duration LONGEST_WAIT = Duration.ofMillis(100);
    private static final int BUFFER_SIZE = 256 * 1024;
    private static final long SEED = 0x5EDA99;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Clients order;
    private final InetSocketAddress server;
    private final SourceAddresses sources = new SourceAddresses();
    private final ClientsTally tally;
    private final FileSet files;
    private final Page single;
    private final SplittableRandom random = new SplittableRandom(SEED);
    private final Pattern pattern = new Pattern(BUFFER_SIZE);
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);
    private final Duration think;
    private Reactor reactor;
    private int waiting;
    private Throwable failure;

    /**
     * Creates a run.
     *
     * @param order the order
     */
    ClientsRun(Clients order) {
        this.order = order;
        this.server = new InetSocketAddress("127.0.0.1", order.port());
        this.tally = new ClientsTally(order.count(), order.windowMillis(), order.server());
        this.files = order.path() == null ? new FileSet(order.directories()) : null;
        this.single = order.path() == null ? null : new Page(order.path(), order.size(), Page.ANYTHING);
        this.think = Duration.ofMillis(order.thinkMillis());
    }

    /**
     * {@return what the clients have met}
     *
     * @throws IOException if a byte was wrong, or this machine cannot do it
     */
    ClientsResult measure() throws IOException {
        List<Client> clients = new ArrayList<>(order.count());
        try (Reactor opened = Reactor.open()) {
            reactor = opened;
            try {
                for (int i = 0; i < order.count(); i++) {
                    clients.add(new Client(i, this));
                    clients.get(i).ask();
                }
                measureThem();
            } finally {
                clients.forEach(Client::leave);
            }
        }
        requireNoFailure();
        return tally.result();
    }

    private void measureThem() throws IOException {
        run(order.warmUpMillis());
        tally.begin();
        run(order.measuredMillis());
        tally.end();
        long end = System.nanoTime() + order.patienceMillis() * NANOS_PER_MILLI;
        while (waiting > 0 && end - System.nanoTime() > 0) {
            dispatch();
        }
    }

    private void run(long millis) throws IOException {
        long end = System.nanoTime() + millis * NANOS_PER_MILLI;
        while (end - System.nanoTime() > 0) {
            dispatch();
        }
    }

    private void dispatch() throws IOException {
        reactor.runOnce(LONGEST_WAIT);
        requireNoFailure();
    }

    private void requireNoFailure() throws IOException {
        if (failure != null) {
            throw new IOException(FileProblem.describe(failure), failure);
        }
    }

    Reactor reactor() {
        return reactor;
    }

    InetSocketAddress server() {
        return server;
    }

    InetSocketAddress source() {
        return sources.next();
    }

    ClientsTally tally() {
        return tally;
    }

    Pattern pattern() {
        return pattern;
    }

    /** {@return where all clients receive: nothing stays in it from one hook to the next} */
    ByteBuffer buffer() {
        return buffer;
    }

    Page nextPage() {
        return single != null ? single : files.choose(random);
    }

    int requests() {
        return order.requests();
    }

    boolean isObedient() {
        return order.obedient();
    }

    Duration think() {
        return think;
    }

    /** So many more clients wait for a reply, or less. */
    void waiting(int change) {
        waiting += change;
    }

    /** This machine cannot do it, or the server has done something wrong. */
    void failed(Throwable cause) {
        failure = cause;
    }
}
