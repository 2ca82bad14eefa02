package dev.sluice.stages;

import dev.sluice.failure.StackReserve;
import dev.sluice.hook.HookFailure;
import java.lang.reflect.Modifier;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the events of a stage's queue in batches, calls the handler with them, and counts their outcomes: handled,
 * failed or discarded. Used by any number of threads concurrently, unless the handler is exclusive.
 */
final class BatchHandling<E> {

    private static final Logger LOG = LoggerFactory.getLogger(BatchHandling.class);

    private final Stage<E> stage;
    private final StageHandler<E> handler;
    private final StageQueue<E> queue;
    /** Whether events may expire while they wait. */
    private final boolean expiring;
    /** Whether events may hold resources. */
    private final boolean releasing;
    private final @Nullable ResponseTimes responses;
    /** Those to be rejected first; null for none. */
    private final @Nullable LesserEvents<E> lesser;
    private final ObjectPool<EventBatch<E>> spareBatches;
    private final int maxBatch;
    private volatile int batch;
    private volatile long longestWait = Long.MAX_VALUE;
    private final AtomicLong minWait = new AtomicLong(Long.MAX_VALUE);
    private final AtomicLong handled = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong discarded = new AtomicLong();
    /** The batches that threads have left for lack of stack or memory, to be finished by the next thread. */
    private volatile @Nullable EventBatch<E> interruptedBatches;
    private final Object unfinishedLock = new Object();

    /**
     * Creates the handling for a stage that has its handler.
     *
     * @param lesser    those to be rejected first; null for none
     * @param responses records the response times; null if they are not recorded
     */
    BatchHandling(Stage<E> stage, StageQueue<E> queue, StageOptions<E> options, @Nullable LesserEvents<E> lesser,
                  @Nullable ResponseTimes responses) {
        this.stage = stage;
        this.handler = stage.handler;
        this.queue = queue;
        this.responses = responses;
        this.lesser = lesser;
        Class<E> type = stage.type();
        expiring = ExpiringEvent.class.isAssignableFrom(type) || type.isAssignableFrom(ExpiringEvent.class);
        releasing = ReleasableEvent.class.isAssignableFrom(type) || !Modifier.isFinal(type.getModifiers());
        maxBatch = Math.min(options.capacity, StageOptions.MAX_BATCH_SIZE);
        batch = Math.min(maxBatch, options.batch);
        spareBatches = new ObjectPool<>(() -> new EventBatch<>(maxBatch, responses, expiring));
        // A single thread then never needs memory for one.
        spareBatches.release(spareBatches.take());
    }

    int batch() {
        return batch;
    }

    void setBatch(int events) {
        batch = Math.min(maxBatch, events);
    }

    void setLongestWait(long nanos) {
        longestWait = nanos;
    }

    long handled() {
        return handled.get();
    }

    long failed() {
        return failed.get();
    }

    long discarded() {
        return discarded.get();
    }

    /** {@return the shortest wait of an event since the last call} */
    long takeMinWait() {
        return minWait.getAndSet(Long.MAX_VALUE);
    }

    boolean hasEvent() {
        return interruptedBatches != null || queue.hasEvent();
    }

    /**
     * Takes a batch and calls the handler with it.
     *
     * @param threads the number of threads that may do so, each of which gets a share
     * @return the number of events taken
     */
    int run(int threads) {
        return run(share(threads), false);
    }

    /** Discards the remaining events, when no more are handled. */
    void discardRest() {
        StackReserve.require();
        int count;
        do {
            count = run(maxBatch, true);
        } while (count > 0);
    }

    private int run(int maxEvents, boolean discarding) {
        // For the lock that keeps a batch below: in the interpreter, taking it needs stack.
        StackReserve.requireForLeave();
        EventBatch<E> events = interruptedBatches == null ? null : takeUnfinished();
        int count;
        try {
            if (events == null) {
                events = spareBatches.take();
                queue.take(events, maxEvents);
            }
            count = events.filled;
            if (count > 0 && discarding) {
                discard(events);
            } else if (count > 0) {
                notifyTaken();
                handle(events);
            }
        } catch (Throwable e) {
            // Without a call, as there may be no stack for more than the lock.
            if (events != null && events.filled > 0) {
                events.failure = e;
                synchronized (unfinishedLock) {
                    events.following = interruptedBatches;
                    interruptedBatches = events;
                }
            }
            throw e;
        }
        spareBatches.release(events);
        return count;
    }

    /** Called before a batch is handled, which must happen even if a program's own execution throws. */
    private void notifyTaken() {
        try {
            stage.execution.taken();
        } catch (OutOfMemoryError | StackOverflowError e) {
            throw e;
        } catch (Throwable e) {
            HookFailure.log(LOG, stage.execution, stage, e);
        }
    }

    private @Nullable EventBatch<E> takeUnfinished() {
        synchronized (unfinishedLock) {
            EventBatch<E> first = interruptedBatches;
            if (first != null) {
                interruptedBatches = first.following;
                first.following = null;
            }
            return first;
        }
    }

    /** Limits a batch, so that events do not wait for one thread while others are idle: each event may block. */
    int share(int threads) {
        return threads <= 1 ? batch : Math.max(1, Math.min(batch, (queue.length() + threads - 1) / threads));
    }

    /** Handles a batch. If this throws for lack of stack or memory, it must be called again with the same batch. */
    private void handle(EventBatch<E> events) {
        if (events.failure == null) {
            if (responses != null) {
                long now = System.nanoTime();
                noteWait(events.minWait(now));
                discardLate(events, now);
            }
            if (expiring) {
                events.discardIf(BatchHandling::hasExpired);
            }
        } else {
            failInterrupted(events, events.failure);
        }
        while (events.remaining() > 0) {
            try {
                handler.handleEvents(events);
                events.returned();
                break;
            } catch (Throwable e) {
                // Otherwise the event could count as failed without a call of handleFailure.
                StackReserve.require();
                notifyFailure(events.fail(), e);
            }
        }
        count(events);
    }

    /** Counts the event at which another thread has left the batch as failed. */
    private void failInterrupted(EventBatch<E> events, Throwable failure) {
        StackReserve.require();
        if (events.isHandling()) {
            notifyFailure(events.fail(), failure);
        }
    }

    /**
     * Returns whether an event has expired. If the check throws, the event counts as not expired: the check throws
     * again when the handler takes it, and then the event fails.
     */
    private static boolean hasExpired(Object event) {
        try {
            return ExpiringEvent.isExpired(event);
        } catch (Throwable e) {
            return false;
        }
    }

    private void count(EventBatch<E> events) {
        // Before they are released: their costs may depend on their contents.
        events.leave(queue.admissions());
        if (releasing) {
            events.release();
        }
        events.forget();
        events.count(discarded, failed, handled);
    }

    private void notifyFailure(@Nullable E event, Throwable cause) {
        try {
            handler.handleFailure(event, cause);
        } catch (Throwable e) {
            HookFailure.logUndelivered(handler, cause, e);
        }
    }

    private void noteWait(long wait) {
        long before = minWait.get();
        while (wait < before && !minWait.compareAndSet(before, wait)) {
            before = minWait.get();
        }
    }

    private void discardLate(EventBatch<E> events, long now) {
        long longest = longestWait;
        if (longest == Long.MAX_VALUE) {
            return;
        }
        // Otherwise an event could be taken without a call of handleDiscarded.
        StackReserve.require();
        E late = events.nextLate(now, longest, lesser);
        while (late != null) {
            notifyDiscarded(late);
            late = events.nextLate(now, longest, lesser);
        }
    }

    private void notifyDiscarded(E event) {
        try {
            handler.handleDiscarded(event);
        } catch (Throwable e) {
            HookFailure.log(LOG, handler, event, e);
        }
    }

    private void discard(EventBatch<E> events) {
        if (events.failure != null) {
            failInterrupted(events, events.failure);
        }
        E event = events.nextDiscarded();
        while (event != null) {
            notifyDiscarded(event);
            event = events.nextDiscarded();
        }
        count(events);
    }
}
