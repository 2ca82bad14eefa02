package dev.sluice.stages;

import dev.sluice.deadline.Timeout;
import dev.sluice.eventloop.EventLoop;
import dev.sluice.failure.StackReserve;
import dev.sluice.hook.HookFailure;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The incoming event queue of a stage: its places, who may use them, and who waits for some. */
final class StageQueue<E> {

    private static final Logger LOG = LoggerFactory.getLogger(StageQueue.class);
    private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    static {
        // A thread whose stack is full cannot load what it needs first then.
        StackReserve.require();
        Objects.requireNonNull(Outcome.ACCEPTED);
    }

    private final EventRing ring;
    final int capacity;
    private volatile int threshold;
    /** May grow at the end, so whoever asks them looks once which there are. */
    private volatile Admission<? super E>[] admissions;
    private final Runnable eventsAdded;
    /**
     * What has kept a thread from running {@link #eventsAdded}, from telling that there is room, or from counting,
     * after it has changed this queue; null if nothing has. Then {@link #makeUp()} does it, and logs that.
     */
    volatile Throwable unannounced;
    /** How often an event has been announced that has not come yet. */
    private final AtomicLong work = new AtomicLong();
    private final ConcurrentLinkedQueue<Thread> waiting = new ConcurrentLinkedQueue<>();
    /** Apart, as it is closed to those outside before it is closed to other stages, who have to wait on. */
    private final RoomNotices outside = new RoomNotices(() -> toTell(EventRing.OUTSIDE | EventRing.ALL));
    private final RoomNotices inside = new RoomNotices(() -> toTell(EventRing.ALL));

    /**
     * Makes an empty queue.
     *
     * @param capacity    the most events, from 1 to {@link EventRing#MOST_PLACES}
     * @param threshold   how many are let in, from 1 to the capacity
     * @param timed       whether somebody wants to know how long events wait
     * @param admissions  asked one after the other
     * @param eventsAdded is run after events have been put there, by who did it
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
            roomMade();
        } catch (Throwable e) {
            unannounced = e;
        }
    }

    // Enqueueing
    //
    // What throws, such as for lack of stack, has changed nothing: once places have been claimed or given back, no call
    // follows whose failure would not be caught, and made up for. Where admissions are asked, there is stack for all of
    // it beforehand.

    /**
     * Puts events into the queue, all of them or none.
     *
     * @param one      the event, if there is no array
     * @param several  the events, from the first element on; null for one event
     * @param count    how many
     * @param closures the bits that close the queue to the caller
     * @param passed   counts them if they are accepted
     */
    Outcome enqueue(E one, Object[] several, int count, long closures, LongAdder passed) {
        long time = ring.now();
        int limit = threshold;
        if (admissions.length > 0) {
            Outcome reserved = prepare(one, several, count, closures);
            if (reserved != Outcome.ACCEPTED) {
                return reserved;
            }
            limit = EventRing.RESERVED;
        }
        return add(one, several, count, time, limit, closures, passed);
    }

    Outcome enqueue(E event, long patience, long closures, LongAdder passed) throws InterruptedException {
        Outcome outcome = enqueue(event, null, 1, closures, passed);
        if (outcome != Outcome.FULL || patience == 0) {
            return outcome;
        }
        if (isHookOfEventLoop()) {
            throw new IllegalStateException("the queue is full, and a hook of an event loop must not wait for room:"
                    + " use enqueue(event) and tellWhenHalfEmpty");
        }
        Thread current = Thread.currentThread();
        long timeout = Timeout.bounded(patience);
        long begin = Timeout.begin(timeout);
        // Or it might stay among those who wait.
        StackReserve.requireForCall();
        waiting.add(current);
        try {
            while (true) {
                outcome = enqueue(event, null, 1, closures, passed);
                long left = Timeout.left(timeout, begin);
                if (outcome != Outcome.FULL || left == 0) {
                    return outcome;
                }
                if (left < 0) {
                    LockSupport.park(this);
                } else {
                    LockSupport.parkNanos(this, left);
                }
                if (Thread.interrupted()) {
                    throw new InterruptedException("while waiting for room in a queue");
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
    Outcome prepare(E one, Object[] several, int count, long closures) {
        boolean asks = admissions.length > 0;
        if (asks) {
            StackReserve.requireForCall();
        }
        long reserved = ring.reserve(count, threshold, closures);
        if (reserved < 0) {
            return refusal(reserved);
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
        return admitted == count ? Outcome.ACCEPTED : Outcome.REFUSED;
    }

    void commit(Object[] events, int count, LongAdder passed) {
        if (count > 0) {
            add(null, events, count, ring.now(), EventRing.RESERVED, 0, passed);
        }
    }

    void abort(Object[] events, int count) {
        if (admissions.length > 0) {
            StackReserve.requireForCall();
        }
        release(events, count, count);
    }

    private Outcome add(E one, Object[] several, int count, long time, int limit, long closures, LongAdder passed) {
        long place = ring.add(one, several, count, time, limit, closures);
        if (place < 0) {
            return refusal(place);
        }
        try {
            passed.add(count);
            eventsAdded.run();
        } catch (Throwable e) {
            unannounced = e;
        }
        return Outcome.ACCEPTED;
    }

    /** Gives places back that were reserved for events, of which only the first have been admitted. */
    private void release(Object[] events, int admitted, int count) {
        Admission<? super E>[] all = admissions;
        for (int i = 0; i < admitted && all.length > 0; i++) {
            for (Admission<? super E> admission : all) {
                giveBack(admission, event(null, events, i));
            }
        }
        ring.giveBack(count);
        try {
            roomMade();
        } catch (Throwable e) {
            unannounced = e;
        }
    }

    @SuppressWarnings("unchecked") // Only events are put there.
    private E event(E one, Object[] several, int index) {
        return several == null ? one : (E) several[index];
    }

    private boolean isAdmittedByAll(E event) {
        Admission<? super E>[] all = admissions;
        int length = ring.length();
        int asked = 0;
        try {
            while (asked < all.length && all[asked].admit(event, length)) {
                asked++;
            }
        } finally {
            for (int i = 0; asked < all.length && i < asked; i++) {
                giveBack(all[i], event);
            }
        }
        return asked == all.length;
    }

    /** One that fails keeps nothing else from being given back: not by the others, and not the places. */
    private static <T> void giveBack(Admission<? super T> admission, T event) {
        try {
            admission.giveBack(event);
        } catch (Throwable e) {
            HookFailure.log(LOG, admission, event, e);
        }
    }

    private static Outcome refusal(long place) {
        return place == EventRing.NO_ROOM ? Outcome.FULL : Outcome.CLOSED;
    }

    // Taking

    /** {@return how many events were put into the batch} */
    int take(EventBatch<E> batch, int most) {
        int count = ring.take(batch, most);
        if (count > 0) {
            try {
                roomMade();
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

    /**
     * Has another one be asked from now on. Called by one thread. The events that are inside have not been admitted by
     * it, so it must not keep count of those that leave; if a preparation from before is closed, it is given back what
     * it has not given, which adds to a bucket no more than it holds.
     */
    void addAdmission(TokenBucket<? super E> bucket) {
        Admission<? super E>[] more = Arrays.copyOf(admissions, admissions.length + 1);
        more[admissions.length] = bucket;
        admissions = more;
    }

    // Work outside of the graph

    void workStarted() {
        work.getAndIncrement();
    }

    /** {@return whether there was some} */
    boolean workFinished() {
        return work.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
    }

    long announced() {
        return work.get();
    }

    // Those who wait for room

    /** {@return whether the notice is told; not if another queue has to tell it first} */
    boolean tellWhenHalfEmpty(RoomNotice notice, long closures) {
        RoomNotices notices = (closures & EventRing.OUTSIDE) == 0 ? inside : outside;
        boolean added = notices.add(notice);
        if (added) {
            notices.tell();
        }
        return added || notice.isAmong(notices);
    }

    boolean isAwaited() {
        return !outside.isEmpty() || !inside.isEmpty();
    }

    /** Does what a thread had no stack or memory for. Called now and then, by the graph. */
    void makeUp() {
        Throwable cause = unannounced;
        if (cause == null) {
            return;
        }
        unannounced = null;
        try {
            LOG.warn("a thread has left an event queue to others: {}", cause.toString());
            LOG.debug("where", cause);
            roomMade();
            eventsAdded.run();
        } catch (Throwable e) {
            // It is tried again.
            unannounced = e;
        }
    }

    private void roomMade() {
        if (!waiting.isEmpty()) {
            waiting.forEach(LockSupport::unpark);
        }
        inside.tell();
        outside.tell();
    }

    /**
     * How many of those who wait for room are to be told of it. No more than there is room for, or those who come first
     * by chance would leave none to the others, and that again and again. But all if the queue is empty, as whoever was
     * told before may not want its place any more, and nobody may ever take an event again.
     */
    private int toTell(long closures) {
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

    /** {@return how many events places are reserved for or are announced} To be read before what was accepted. */
    long expected() {
        return work.get() + ring.preparedCount();
    }

    /** {@return for how many nanoseconds the next event has waited; 0 if there is none, or nobody wants to know} */
    long oldestWait(long now) {
        return Math.max(0, now - ring.oldest(now));
    }

    // The end

    void close(long closures) {
        ring.close(closures);
        try {
            roomMade();
        } catch (Throwable e) {
            unannounced = e;
        }
    }

    boolean isClosed(long closures) {
        return ring.isClosed(closures);
    }
}
