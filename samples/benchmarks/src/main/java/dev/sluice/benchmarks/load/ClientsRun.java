package dev.sluice.benchmarks.load;

import dev.sluice.reactor.Reactor;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Puts clients on a server. */
final class ClientsRun extends PageRun {

    private static final Duration LONGEST_WAIT = Duration.ofMillis(100);
    private static final int BUFFER_SIZE = 256 * 1024;
    private static final long SEED = 0x5EDA99;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Clients order;
    private final FileSet files;
    private final Page single;
    private final SplittableRandom random = new SplittableRandom(SEED);
    private final Duration think;
    private final ClientsRun beside;
    private int waiting;

    /**
     * Creates a run.
     *
     * @param order the order
     */
    ClientsRun(Clients order) {
        super(order.port(), new ClientsTally(order.count(), order.windowMillis(), order.server()), BUFFER_SIZE);
        this.order = order;
        this.files = order.path() == null ? new FileSet(order.directories()) : null;
        this.single = order.path() == null ? null : new Page(order.path(), order.size(), Page.ANYTHING);
        this.think = Duration.ofMillis(order.thinkMillis());
        this.beside = order.beside() == null ? null : new ClientsRun(order.beside());
    }

    /**
     * {@return what the clients have met}
     *
     * @throws IOException if a byte was wrong, or this machine cannot do it
     */
    ClientsResult measure() throws IOException {
        List<Client> clients = new ArrayList<>(order.count());
        try (Reactor opened = Reactor.open()) {
            try {
                begin(opened, clients);
                measureThem();
            } finally {
                clients.forEach(Client::leave);
            }
        }
        requireNoFailure();
        return result();
    }

    private void begin(Reactor opened, List<Client> clients) throws IOException {
        waitIn(opened);
        for (int i = 0; i < order.count(); i++) {
            Client client = new Client(i, this);
            clients.add(client);
            client.ask();
        }
        if (beside != null) {
            beside.begin(opened, clients);
        }
    }

    private ClientsResult result() {
        return tally().result(beside == null ? null : beside.result());
    }

    private void measureThem() throws IOException {
        run(order.warmUpMillis());
        beginToCount();
        run(order.measuredMillis());
        endCounting();
        long end = System.nanoTime() + order.timeoutMillis() * NANOS_PER_MILLI;
        while (isWaiting() && end - System.nanoTime() > 0) {
            dispatch();
        }
    }

    private void beginToCount() throws IOException {
        tally().begin();
        if (beside != null) {
            beside.beginToCount();
        }
    }

    private void endCounting() throws IOException {
        tally().end();
        if (beside != null) {
            beside.endCounting();
        }
    }

    private boolean isWaiting() {
        return waiting > 0 || beside != null && beside.isWaiting();
    }

    private void run(long millis) throws IOException {
        long end = System.nanoTime() + millis * NANOS_PER_MILLI;
        while (end - System.nanoTime() > 0) {
            dispatch();
        }
    }

    private void dispatch() throws IOException {
        reactor().runOnce(LONGEST_WAIT);
        requireNoFailure();
    }

    @Override
    void requireNoFailure() throws IOException {
        super.requireNoFailure();
        if (beside != null) {
            beside.requireNoFailure();
        }
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
}
