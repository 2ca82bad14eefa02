package dev.sluice.benchmarks.seda.hop;

import java.util.concurrent.locks.LockSupport;

/**
 * The end of a chain of stages, where all events have to arrive, in order, and handled by every stage. Can be used
 * again and again, by one thread that sends, and one at a time that the last stage runs in.
 */
final class Arrivals {

    private final int stages;
    private final HopEvent[] events;
    // Of who runs the last stage.
    private int arrived;

    private volatile String problem;
    private volatile Thread waiting;

    /**
     * Creates the events.
     *
     * @param stages the number of stages
     * @param count  the number of events that are sent at once
     */
    Arrivals(int stages, int count) {
        this.stages = stages;
        events = new HopEvent[count];
        for (int i = 0; i < count; i++) {
            events[i] = new HopEvent(i);
        }
    }

    /** Called at the end of the last stage. */
    void arrive(HopEvent event) {
        int hops = event.takeHops();
        if (event.number() != arrived || hops != stages) {
            fail("event " + event.number() + " came after " + hops + " stages in place of event " + arrived + " after "
                    + stages);
            return;
        }
        if (++arrived == events.length) {
            arrived = 0;
            wakeUp();
        }
    }

    /** Records that an event is lost; the waiting thread returns. */
    void fail(String what) {
        problem = what;
        wakeUp();
    }

    private void wakeUp() {
        Thread sender = waiting;
        // Before it is woken, because it looks at once.
        waiting = null;
        LockSupport.unpark(sender);
    }

    /**
     * Sends all events, and waits until the last one has arrived.
     *
     * @param chain to send them through
     * @throws IllegalStateException if they did not arrive as they should
     */
    void send(Chain chain) {
        waiting = Thread.currentThread();
        for (HopEvent event : events) {
            chain.enqueue(event);
        }
        while (waiting != null) {
            LockSupport.park(this);
        }
        if (problem != null) {
            throw new IllegalStateException(problem);
        }
    }
}
