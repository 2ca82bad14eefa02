package dev.sluice.stages;

import dev.sluice.failure.StackReserve;
import dev.sluice.hook.HookFailure;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Events that a stage hands to its handler together. The handler takes them one at a time by {@link #next()}, and may
 * reorder and filter the remaining ones. Belongs to the thread that calls the handler, until the handler returns; then
 * the stage reuses it.
 *
 * <p>An event counts as handled when the next one is taken, or the handler returns. If the handler throws, only the
 * event taken last has failed: the stage calls the handler again with the remaining ones. Events that remain when the
 * handler returns count as discarded by it.
 *
 * @param <E> the type of the events
 */
public final class EventBatch<E> {

    private static final Logger LOG = LoggerFactory.getLogger(EventBatch.class);

    /** Filled by the ring, like the times. */
    final Object[] events;
    final long[] times;
    private final @Nullable ResponseTimes responses;
    private final boolean expiring;
    /** Used for sorting; null before the first sort. */
    private Entry @Nullable [] sorted;
    /** Number of events that the stage has put there. */
    int filled;
    /** End of the events that have not been filtered out. */
    int size;
    /** Number of events taken. */
    private int taken;
    /** Whether the event taken last is still being handled. */
    private boolean handling;
    private int handled;
    private int failed;
    /** Number of events released. */
    private int released;
    /** Number of admissions notified of all events that leave, and of how many the next admission has been notified. */
    private int admissionsLeft;
    private int left;
    /** The time for which events have been checked for having waited too long, and the next one to check. */
    private long checkedTime;
    private int checked;
    /** The reason why the stage has not finished with this batch; null if there is none. */
    @Nullable Throwable failure;
    /** The next batch that the stage has not finished with. */
    @Nullable EventBatch<E> following;

    /**
     * Creates an empty batch.
     *
     * @param capacity  maximum number of events
     * @param responses records the response times; null if they are not recorded
     * @param expiring  whether there may be {@link ExpiringEvent}s
     */
    EventBatch(int capacity, @Nullable ResponseTimes responses, boolean expiring) {
        this.expiring = expiring;
        events = new Object[capacity];
        times = new long[capacity];
        this.responses = responses;
    }

    /**
     * Takes the next event that has not {@linkplain ExpiringEvent expired}. The previous event counts as handled.
     *
     * @return the event, or null if there are no more
     */
    public @Nullable E next() {
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

    /** {@return the number of events that have not been taken yet} */
    public int remaining() {
        return size - taken;
    }

    /**
     * Returns an event that has not been taken yet, without taking it.
     *
     * @param index from 0, the next event, to {@link #remaining()} - 1
     * @return the event
     * @throws IndexOutOfBoundsException if there is no such event
     */
    public E peek(int index) {
        if (index < 0 || index >= size - taken) {
            throw new IndexOutOfBoundsException("event " + index + " of " + remaining());
        }
        return at(taken + index);
    }

    /**
     * Sorts the events that have not been taken yet. The sort is stable; if the comparator throws, the order is
     * unchanged.
     *
     * @param order the order in which they are to be taken
     */
    @SuppressWarnings("unchecked") // Only events are put there.
    public void sort(Comparator<? super E> order) {
        if (sorted == null) {
            sorted = new Entry[events.length];
            Arrays.setAll(sorted, i -> new Entry());
        }
        int count = remaining();
        // Sorted in another array: during a merge, some elements are in the array twice, and others not at all.
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
     * Discards events that have not been taken yet. They are not passed to {@link StageHandler#handleDiscarded}, since
     * the handler has seen them.
     *
     * @param unwanted returns true for each event to discard
     * @return the number of discarded events
     */
    public int discardIf(Predicate<? super E> unwanted) {
        int kept = taken;
        for (int i = taken; i < size; i++) {
            if (!unwanted.test(at(i))) {
                // Swapped without a call, so that none is lost if the next test throws.
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
        checked = 0;
        failure = null;
    }

    /** Counts the event taken last as handled. */
    void finish() {
        if (handling) {
            handling = false;
            handled++;
            if (responses != null) {
                responses.add(System.nanoTime() - times[taken - 1]);
            }
        }
    }

    /** Called when the handler has returned: the remaining events count as discarded. */
    void returned() {
        finish();
        size = taken;
    }

    /**
     * Called when the handler has thrown.
     *
     * @return the event that has failed: the one taken last, or the next one if the handler took none, so that calls of
     *         the handler end; null if it had handled all of them
     */
    @Nullable E fail() {
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
     * Takes the next event that has waited for too long. The others keep their order.
     *
     * @param now     by {@link System#nanoTime()}; the same until null is returned
     * @param longest in nanoseconds
     * @param lesser  those that may only wait for half of that; null for none
     * @return the event, or null if no more have waited for so long
     */
    @Nullable E nextLate(long now, long longest, @Nullable LesserEvents<? super E> lesser) {
        if (now != checkedTime) {
            checkedTime = now;
            checked = 0;
        }
        long shortest = lesser == null ? longest : longest / 2;
        // In the order of their times, so none after one that has not waited for the shorter time is late.
        for (int i = Math.max(checked, taken); i < size && now - times[i] > shortest; i++) {
            checked = i + 1;
            if (now - times[i] > longest || lesser != null && lesser.includes(at(i))) {
                moveToNext(i);
                return takeNext();
            }
        }
        return null;
    }

    /** Moves an event before those that have not been taken. */
    private void moveToNext(int index) {
        Object event = events[index];
        long time = times[index];
        System.arraycopy(events, taken, events, taken + 1, index - taken);
        System.arraycopy(times, taken, times, taken + 1, index - taken);
        events[taken] = event;
        times[taken] = time;
    }

    /** {@return the next event, which counts as discarded; null at the end} */
    @Nullable E nextDiscarded() {
        return taken < size ? takeNext() : null;
    }

    private E takeNext() {
        // Nothing is called after the step.
        E event = at(taken);
        taken++;
        return event;
    }

    /** {@return the wait of the last of its events, which is the shortest of all} */
    long minWait(long now) {
        return now - times[filled - 1];
    }

    boolean isHandling() {
        return handling;
    }

    // Ending events. A step that found no stack is repeated; steps that have begun are not

    /** Releases its {@link ReleasableEvent}s, in any order. */
    void release() {
        for (; released < filled; released++) {
            if (events[released] instanceof ReleasableEvent releasable) {
                // A release that has begun is not repeated.
                StackReserve.require();
                try {
                    releasable.release();
                } catch (Throwable e) {
                    HookFailure.log(LOG, releasable, "leaving a stage", e);
                }
            }
        }
    }

    /** Notifies an admission that the events leave. If it throws for one event, it is still called for the others. */
    private void leave(Admission<? super E> admission, E event) {
        try {
            admission.onDone(event);
        } catch (Throwable e) {
            HookFailure.log(LOG, admission, event, e);
        }
    }

    /** Notifies the admissions that the events leave the stage. */
    void leave(Admission<? super E>[] admissions) {
        if (admissionsLeft < admissions.length) {
            // A notification that has begun is not repeated: it may have given credits back before its stack was full.
            StackReserve.requireForCall();
        }
        for (; admissionsLeft < admissions.length; admissionsLeft++) {
            for (; left < filled; left++) {
                leave(admissions[admissionsLeft], at(left));
            }
            left = 0;
        }
    }

    /** Clears the references to its events, but keeps their outcomes. */
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

        private @Nullable Object event;
        private long time;
    }
}
