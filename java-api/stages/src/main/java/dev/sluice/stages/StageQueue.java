package dev.sluice.stages;

import dev.sluice.deadline.Timeout;
import dev.sluice.eventloop.EventLoop;
import dev.sluice.failure.StackReserve;
import dev.sluice.hook.HookFailure;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The incoming event queue of a stage: its places, its admissions, and the producers that wait for space. */
final class StageQueue<E> {

    private static final Logger LOG = LoggerFactory.getLogger(StageQueue.class);
    private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    static {
        // A thread whose stack is full cannot load a class.
        StackReserve.require();
        Objects.requireNonNull(EnqueueResult.ACCEPTED);
    }

    private final EventRing ring;
    final int capacity;
    private volatile int threshold;
    private final Admission<? super E>[] admissions;
    private final Runnable eventsAdded;
    /**
     * The error because of which a thread that has changed this queue could not run {@link #eventsAdded}, notify
     * listeners, or count; null if there is none. {@link #makeUp()} does it later, and logs the error.
     */
    volatile @Nullable Throwable unannounced;
    private final ConcurrentLinkedQueue<Thread> waiting = new ConcurrentLinkedQueue<>();
    /**
     * Separate, as the queue is closed to the outside before it is closed to other stages, which must continue to wait.
     */
    private final SpaceListeners outside = new SpaceListeners(() -> toNotify(EventRing.OUTSIDE | EventRing.ALL));
    private final SpaceListeners inside = new SpaceListeners(() -> toNotify(EventRing.ALL));

    /**
     * Creates an empty queue.
     *
     * @param capacity    the maximum number of events, from 1 to {@link EventRing#MAX_CAPACITY}
     * @param threshold   the number of places that may be in use, from 1 to the capacity
     * @param timed       whether to record how long events wait
     * @param admissions called in order
     * @param eventsAdded run after events have been added, by the thread that has added them
     */
    StageQueue(int capacity, int threshold, boolean timed, Admission<? super E>[] admissions, Runnable eventsAdded) {
        ring = new EventRing(capacity, timed);
        this.capacity = capacity;
        this.threshold = threshold;
        this.admissions = admissions;
        this.eventsAdded = eventsAdded;
    }

    int threshold() {
        return threshold;
    }

    void setThreshold(int value) {
        threshold = value;
        try {
            spaceFreed();
        } catch (Throwable e) {
            unannounced = e;
        }
    }

    // Enqueueing A call that throws, for example for lack of stack, has changed nothing: once places have been claimed
    // or released, the failure of any further call is caught, and its work repeated later. Before admissions are
    // called, the stack is checked for all of this.

    /**
     * Puts events into the queue, all of them or none.
     *
     * @param one           the event, if there is no array
     * @param several       the events, from the first element on; null for one event
     * @param count         the number
     * @param closures      the bits that close the queue to the caller
     * @param acceptedCount counts them if they are accepted
     */
    EnqueueResult enqueue(@Nullable E one, Object @Nullable [] several, int count, long closures,
                          LongAdder acceptedCount) {
        long time = ring.now();
        int limit = threshold;
        if (admissions.length > 0) {
            EnqueueResult reserved = prepare(one, several, count, closures);
            if (reserved != EnqueueResult.ACCEPTED) {
                return reserved;
            }
            limit = EventRing.RESERVED;
        }
        return add(one, several, count, time, limit, closures, acceptedCount);
    }

    EnqueueResult enqueue(E event, long timeout, long closures, LongAdder acceptedCount) throws InterruptedException {
        EnqueueResult result = enqueue(event, null, 1, closures, acceptedCount);
        if (result != EnqueueResult.FULL || timeout == 0) {
            return result;
        }
        if (isHookOfEventLoop()) {
            throw new IllegalStateException("the queue is full, and a hook of an event loop must not wait for space:"
                    + " use enqueue(event) and notifyWhenHalfEmpty");
        }
        Thread current = Thread.currentThread();
        long bounded = Timeout.bounded(timeout);
        long begin = Timeout.begin(bounded);
        // If the stack ran out after the next step, the thread might stay in the list.
        StackReserve.requireForCall();
        waiting.add(current);
        try {
            while (true) {
                result = enqueue(event, null, 1, closures, acceptedCount);
                long left = Timeout.remaining(bounded, begin);
                if (result != EnqueueResult.FULL || left == 0) {
                    return result;
                }
                if (left < 0) {
                    LockSupport.park(this);
                } else {
                    LockSupport.parkNanos(this, left);
                }
                if (Thread.interrupted()) {
                    throw new InterruptedException("while waiting for space in a queue");
                }
            }
        } finally {
            waiting.remove(current);
        }
    }

    private static boolean isHookOfEventLoop() {
        return STACK.walk(frames -> frames.anyMatch(frame -> frame.getDeclaringClass() == EventLoop.class));
    }

    /** Reserves places for events; {@link #commit} or {@link #abort} ends that. */
    EnqueueResult prepare(@Nullable E one, Object @Nullable [] several, int count, long closures) {
        boolean asks = admissions.length > 0;
        if (asks) {
            StackReserve.requireForCall();
        }
        long reserved = ring.reserve(count, threshold, closures);
        if (reserved < 0) {
            return rejection(reserved);
        }
        int admitted = asks ? 0 : count;
        try {
            while (admitted < count && isAdmittedByAll(event(one, several, admitted))) {
                admitted++;
            }
        } finally {
            if (admitted < count) {
                release(several, admitted, count);
            }
        }
        return admitted == count ? EnqueueResult.ACCEPTED : EnqueueResult.REJECTED;
    }

    void commit(Object[] events, int count, LongAdder acceptedCount) {
        if (ring.isClosed(EventRing.ALL)) {
            // The caller discards the events of an ended stage, whose graph does not complete that later.
            StackReserve.requireForWait();
        }
        if (count > 0) {
            add(null, events, count, ring.now(), EventRing.RESERVED, 0, acceptedCount);
        }
    }

    void abort(Object[] events, int count) {
        if (admissions.length > 0) {
            StackReserve.requireForCall();
        }
        release(events, count, count);
    }

    private EnqueueResult add(@Nullable E one, Object @Nullable [] several, int count, long time, int limit,
                              long closures, LongAdder acceptedCount) {
        long place = ring.add(one, several, count, time, limit, closures);
        if (place < 0) {
            return rejection(place);
        }
        try {
            acceptedCount.add(count);
            eventsAdded.run();
        } catch (Throwable e) {
            unannounced = e;
        }
        return EnqueueResult.ACCEPTED;
    }

    /** Releases places reserved for events, of which only the first have been admitted. */
    private void release(Object @Nullable [] events, int admitted, int count) {
        for (int i = 0; i < admitted && admissions.length > 0; i++) {
            for (Admission<? super E> admission : admissions) {
                undo(admission, event(null, events, i));
            }
        }
        ring.release(count);
        try {
            spaceFreed();
        } catch (Throwable e) {
            unannounced = e;
        }
    }

    @SuppressWarnings("unchecked") // Only events are put there.
    private E event(@Nullable E one, Object @Nullable [] several, int index) {
        if (several == null) {
            assert one != null;
            return one;
        }
        return (E) several[index];
    }

    private boolean isAdmittedByAll(E event) {
        int length = ring.length();
        int asked = 0;
        try {
            while (asked < admissions.length && admissions[asked].admit(event, length)) {
                asked++;
            }
        } finally {
            for (int i = 0; asked < admissions.length && i < asked; i++) {
                undo(admissions[i], event);
            }
        }
        return asked == admissions.length;
    }

    /** Undoes an admission. If it throws, the other admissions are still called, and the places are still released. */
    private static <T> void undo(Admission<? super T> admission, T event) {
        try {
            admission.undo(event);
        } catch (Throwable e) {
            HookFailure.log(LOG, admission, event, e);
        }
    }

    private static EnqueueResult rejection(long place) {
        return place == EventRing.FULL ? EnqueueResult.FULL : EnqueueResult.CLOSED;
    }

    // Taking

    /** {@return the number of events that were put into the batch} */
    int take(EventBatch<E> batch, int maxEvents) {
        int count = ring.take(batch, maxEvents);
        if (count > 0) {
            try {
                spaceFreed();
            } catch (Throwable e) {
                unannounced = e;
            }
        }
        return count;
    }

    boolean hasEvent() {
        return ring.hasEvent();
    }

    Admission<? super E>[] admissions() {
        return admissions;
    }

    // Waiting for space

    /** {@return true if the listener will be called; false if it is registered with another queue} */
    boolean notifyWhenHalfEmpty(SpaceListener listener, long closures) {
        SpaceListeners listeners = (closures & EventRing.OUTSIDE) == 0 ? inside : outside;
        boolean added = listeners.add(listener);
        if (added) {
            try {
                listeners.notifyWaiters();
            } catch (Throwable e) {
                // It is registered, and a second call would find that and notify no listener.
                unannounced = e;
            }
        }
        return added || listener.isAmong(listeners);
    }

    boolean hasWaiters() {
        return !outside.isEmpty() || !inside.isEmpty();
    }

    /** Completes the work that a thread had no stack or memory for. Called periodically by the graph. */
    void makeUp() {
        Throwable cause = unannounced;
        if (cause == null) {
            return;
        }
        unannounced = null;
        try {
            LOG.warn("a thread could not complete its work on an event queue, which is done now: {}", cause.toString());
            LOG.debug("where", cause);
            spaceFreed();
            eventsAdded.run();
        } catch (Throwable e) {
            // Retried later.
            unannounced = e;
        }
    }

    private void spaceFreed() {
        if (!waiting.isEmpty()) {
            waiting.forEach(LockSupport::unpark);
        }
        inside.notifyWaiters();
        outside.notifyWaiters();
    }

    /**
     * {@return the number of listeners to call now} No more than there is space for: otherwise the same listeners could
     * take all of it repeatedly. But all if the queue is empty, as a listener that was called before may not use its
     * place, and no event may ever be taken again.
     */
    private int toNotify(long closures) {
        int length = ring.length();
        int limit = threshold;
        if (length == 0 || ring.isClosed(closures)) {
            return Integer.MAX_VALUE;
        }
        return length <= limit / 2 ? limit - length : 0;
    }

    // Looking

    int length() {
        return ring.length();
    }

    long accepted() {
        return ring.addedCount();
    }

    /** {@return the number of events for which places are reserved} To be read before the number of accepted events. */
    long prepared() {
        return ring.preparedCount();
    }

    /**
     * {@return the time in nanoseconds for which the next event has waited; 0 if there is none, or times are not
     * recorded}
     */
    long oldestWait(long now) {
        return Math.max(0, now - ring.oldest(now));
    }

    // The end

    void close(long closures) {
        ring.close(closures);
        try {
            spaceFreed();
        } catch (Throwable e) {
            unannounced = e;
        }
    }

    boolean isClosed(long closures) {
        return ring.isClosed(closures);
    }
}
