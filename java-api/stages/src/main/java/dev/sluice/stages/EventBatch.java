package dev.sluice.stages;

import dev.sluice.failure.StackReserve;
import dev.sluice.hook.HookFailure;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Events that a stage hands to its handler together. The handler takes them one at a time by {@link #next()}, and
 * may reorder and filter those that it has not taken yet. Belongs to the thread that calls the handler, until the
 * handler returns; the stage uses it again.
 *
 * <p>An event counts as handled when the next one is taken, or the handler returns. If the handler throws, the event
 * that it has taken last has failed, and no other: the stage calls it again with those that are left. What the handler
 * leaves when it returns counts as discarded by it.
 *
 * @param <E> the events
 */
public final class EventBatch<E> {

    private static final Logger LOG = LoggerFactory.getLogger(EventBatch.class);

    /** Filled by the ring, as are the times. */
    final Object[] events;
    final long[] times;
    private final ResponseTimes responses;
    private final boolean expiring;
    /** Where they are sorted; null if they never were. */
    private Entry[] sorted;
    /** How many the stage has put there. */
    int filled;
    /** The end of those that are still wanted. */
    int size;
    /** How many have been taken. */
    private int taken;
    /** Whether the one taken last is still being handled. */
    private boolean handling;
    private int handled;
    private int failed;
    /** How many have been released. */
    private int released;
    /** How many admissions have let all of them leave, and how many of them the next one has. */
    private int admissionsLeft;
    private int left;
    /** Why the stage has not finished with it; null if nothing has gone wrong. */
    Throwable failure;
    /** The next one that the stage has not finished with. */
    EventBatch<E> following;

    /**
     * Makes an empty batch.
     *
     * @param capacity  maximum number of events
     * @param responses takes the response times; null if they are not recorded
     * @param expiring  whether there may be {@link ExpiringEvent}s
     */
    EventBatch(int capacity, ResponseTimes responses, boolean expiring) {
        this.expiring = expiring;
        events = new Object[capacity];
        times = new long[capacity];
        this.responses = responses;
    }

    /**
     * Takes the next event that has not {@linkplain ExpiringEvent expired}. The one before has been handled.
     *
     * @return the event, or null if there are no more
     */
    public E next() {
        finish();
        while (expiring && taken < size && ExpiringEvent.isExpired(events[taken])) {
            taken++;
        }
        if (taken == size) {
            return null;
        }
        handling = true;
        return at(taken++);
    }

    /** {@return how many have not been taken yet} */
    public int remaining() {
        return size - taken;
    }

    /**
     * Looks at an event that has not been taken yet.
     *
     * @param index from 0, the next one, to {@link #remaining()} - 1
     * @return the event
     * @throws IndexOutOfBoundsException if there is none
     */
    public E peek(int index) {
        if (index < 0 || index >= size - taken) {
            throw new IndexOutOfBoundsException("event " + index + " of " + remaining());
        }
        return at(taken + index);
    }

    /**
     * Reorders those that have not been taken yet, such as the short ones first. Equal ones stay in order; all of them
     * do if the comparator throws.
     *
     * @param order which comes first
     */
    @SuppressWarnings("unchecked") // Only events are put there.
    public void sort(Comparator<? super E> order) {
        if (sorted == null) {
            sorted = new Entry[events.length];
            Arrays.setAll(sorted, i -> new Entry());
        }
        int count = remaining();
        // Apart from the events: while they are merged, some are in the array twice, and others nowhere.
        for (int i = 0; i < count; i++) {
            sorted[i].event = events[taken + i];
            sorted[i].time = times[taken + i];
        }
        try {
            Arrays.sort(sorted, 0, count, (one, other) -> order.compare((E) one.event, (E) other.event));
            for (int i = 0; i < count; i++) {
                // Without a call, as there may be no stack for one in the middle.
                events[taken + i] = sorted[i].event;
                times[taken + i] = sorted[i].time;
            }
        } finally {
            for (int i = 0; i < count; i++) {
                sorted[i].event = null;
            }
        }
    }

    /**
     * Discards some of those that have not been taken yet. They are not passed to
     * {@link StageHandler#handleDiscarded}: the handler has seen them.
     *
     * @param unwanted returns true for each event to discard
     * @return the number of discarded events
     */
    public int discardIf(Predicate<? super E> unwanted) {
        int kept = taken;
        for (int i = taken; i < size; i++) {
            if (!unwanted.test(at(i))) {
                // They change places, without a call, so that none is lost if the next test throws.
                Object event = events[i];
                long time = times[i];
                events[i] = events[kept];
                times[i] = times[kept];
                events[kept] = event;
                times[kept++] = time;
            }
        }
        int count = size - kept;
        size = kept;
        return count;
    }

    @SuppressWarnings("unchecked") // Only events are put there.
    private E at(int index) {
        return (E) events[index];
    }

    // For the stage

    void filled(int count) {
        filled = count;
        size = count;
        taken = 0;
        handling = false;
        handled = 0;
        failed = 0;
        released = 0;
        admissionsLeft = 0;
        left = 0;
        failure = null;
    }

    /** The handler has handled the event taken last. */
    void finish() {
        if (handling) {
            handling = false;
            handled++;
            if (responses != null) {
                responses.add(System.nanoTime() - times[taken - 1]);
            }
        }
    }

    /** The handler has returned: what it has not taken is left. */
    void returned() {
        finish();
        size = taken;
    }

    /**
     * The handler has thrown.
     *
     * @return the event that has failed: the one taken last, or if it took none the next one, so that calling the
     *         handler again comes to an end; null if it had handled all of them
     */
    E fail() {
        if (!handling) {
            if (taken == size) {
                return null;
            }
            taken++;
        }
        handling = false;
        failed++;
        return at(taken - 1);
    }

    /**
     * Takes the next event if it has waited too long.
     *
     * @param now     by {@link System#nanoTime()}
     * @param longest in nanoseconds
     * @return the event, or null if the next one has not
     */
    E nextLate(long now, long longest) {
        return taken < size && now - times[taken] > longest ? at(taken++) : null;
    }

    /** {@return the next event, which counts as discarded; null at the end} */
    E nextDiscarded() {
        return taken < size ? at(taken++) : null;
    }

    /** {@return how long the last of its events has waited, which is the minimum of them all} */
    long minWait(long now) {
        return now - times[filled - 1];
    }

    boolean isHandling() {
        return handling;
    }

    // The end of its events. A step that had no stack is taken again, and no other one

    /** Releases those of its events that want that, in any order. */
    void release() {
        for (; released < filled; released++) {
            if (events[released] instanceof ReleasableEvent releasable) {
                // One that has been begun is not begun again.
                StackReserve.require();
                try {
                    releasable.release();
                } catch (Throwable e) {
                    HookFailure.log(LOG, releasable, "leaving a stage", e);
                }
            }
        }
    }

    /** An admission that throws for one event is still called for the others. */
    private void leave(Admission<? super E> admission, E event) {
        try {
            admission.leave(event);
        } catch (Throwable e) {
            if (failure == null && e instanceof StackOverflowError overflow) {
                throw overflow;
            }
            HookFailure.log(LOG, admission, event, e);
        }
    }

    /** Notifies the admissions that the events leave the stage. */
    void leave(Admission<? super E>[] admissions) {
        for (; admissionsLeft < admissions.length; admissionsLeft++) {
            for (; left < filled; left++) {
                leave(admissions[admissionsLeft], at(left));
            }
            left = 0;
        }
    }

    /** Drops the references to its events, but not their outcomes. */
    void forget() {
        Arrays.fill(events, 0, filled, null);
    }

    /** Adds the outcomes of its events to the counts, to each count once, and empties the batch. */
    void count(AtomicLong allDiscarded, AtomicLong allFailed, AtomicLong allHandled) {
        int discarded = filled - handled - failed;
        if (discarded > 0) {
            allDiscarded.getAndAdd(discarded);
            filled -= discarded;
        }
        if (failed > 0) {
            allFailed.getAndAdd(failed);
            filled -= failed;
            failed = 0;
        }
        allHandled.getAndAdd(handled);
        filled = 0;
        filled(0);
    }

    /** An event, and when it was added. */
    private static final class Entry {

        private Object event;
        private long time;
    }
}
