package dev.sluice.samples.gnutella;

import dev.sluice.samples.gnutella.RouterEvent.Arrival;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventQueue;
import java.time.Duration;

/**
 * Passes events from the server to the router, and decides what happens if the router's queue is full. For the server's
 * thread.
 */
final class Intake {

    /** Effectively unlimited; the end of the router ends the wait, too. */
    private static final Duration FOREVER = Duration.ofDays(365);

    private final EventQueue<RouterEvent> router;
    private final boolean waits;
    private final TrafficCounts counts;

    /**
     * Leads to a queue.
     *
     * @param router the queue, whose admissions are those of the policy
     * @param policy what else is done
     * @param counts counts what is dropped
     */
    Intake(EventQueue<RouterEvent> router, OverloadPolicy policy, TrafficCounts counts) {
        this.router = router;
        this.waits = policy == OverloadPolicy.THROTTLE;
        this.counts = counts;
    }

    /** Enqueues a message, or drops it. */
    void offer(Arrival arrival) throws InterruptedException {
        EnqueueResult outcome = enqueue(arrival);
        if (outcome == EnqueueResult.CLOSED) {
            counts.drop(DropReason.TOO_LATE);
        } else if (outcome != EnqueueResult.ACCEPTED) {
            counts.drop(DropReason.OVERLOAD);
        }
    }

    /** {@return the result of enqueueing the event} Waits for space if that is the policy. */
    EnqueueResult enqueue(RouterEvent event) throws InterruptedException {
        return waits ? router.enqueue(event, FOREVER) : router.enqueue(event);
    }
}
