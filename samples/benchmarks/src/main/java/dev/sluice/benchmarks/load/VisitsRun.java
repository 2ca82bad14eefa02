package dev.sluice.benchmarks.load;

import dev.sluice.reactor.Reactor;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;

/** Sends visitors to a server. */
final class VisitsRun extends PageRun {

    private static final int BUFFER_SIZE = 64 * 1024;
    private static final long SEED = 0x0BE2;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long NANOS_PER_MILLI = 1_000_000;
    /** Visitors that are begun with before the loop serves those that are there. */
    private static final int AT_ONCE = 16;
    private static final long LONGEST_WAIT = 10 * NANOS_PER_MILLI;

    private final Visits order;
    private final Page page;
    private final SplittableRandom random = new SplittableRandom(SEED);
    /** Those that have come, in the order in which their timeouts elapse, with some that have left. */
    private final Deque<Visitor> visitors = new ArrayDeque<>();
    private long due;
    private int count;

    /**
     * Creates a run.
     *
     * @param order the order
     */
    VisitsRun(Visits order) {
        super(order.port(), new ClientsTally(order.users(), 0, order.server()), BUFFER_SIZE);
        this.order = order;
        this.page = new Page(order.path(), order.size(), Page.ANYTHING);
    }

    /**
     * {@return what the visitors have met; who has lost patience has no answer}
     *
     * @throws IOException if the server does something wrong, or this machine cannot do it
     */
    ClientsResult measure() throws IOException {
        try (Reactor opened = Reactor.open()) {
            waitIn(opened);
            try {
                due = System.nanoTime();
                come(order.warmUpMillis());
                tally().begin();
                come(order.measuredMillis());
                tally().end();
                while (!visitors.isEmpty()) {
                    dispatch(LONGEST_WAIT);
                }
            } finally {
                visitors.forEach(Visitor::leave);
            }
        }
        return tally().result(null);
    }

    private void come(long millis) throws IOException {
        long end = System.nanoTime() + millis * NANOS_PER_MILLI;
        for (long now = System.nanoTime(); end - now > 0; now = System.nanoTime()) {
            for (int i = 0; i < AT_ONCE && due - now <= 0; i++) {
                Visitor visitor = new Visitor(this, count++ % order.users(), due);
                visitors.add(visitor);
                visitor.come();
                // Exponentially distributed, as of independent visitors.
                due += (long) (-Math.log(1 - random.nextDouble()) / order.perSecond() * NANOS_PER_SECOND);
            }
            dispatch(Math.max(0, Math.min(LONGEST_WAIT, Math.min(due, end) - System.nanoTime())));
        }
    }

    private void dispatch(long nanos) throws IOException {
        reactor().runOnce(Duration.ofNanos(nanos));
        requireNoFailure();
        long latest = System.nanoTime() - order.timeoutMillis() * NANOS_PER_MILLI;
        for (Visitor first = visitors.peek(); first != null && (first.hasLeft() || first.due() - latest <= 0);
                first = visitors.peek()) {
            visitors.remove();
            first.losePatience();
        }
    }

    Page page() {
        return page;
    }
}
