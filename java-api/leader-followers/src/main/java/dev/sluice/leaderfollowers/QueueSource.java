package dev.sluice.leaderfollowers;

import dev.sluice.deadline.Timeout;
import dev.sluice.hook.HookFailure;
import dev.sluice.trace.DispatchTrace;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A blocking queue as an event source (Leader/Followers paper, 10.5): the leader takes an element, promotes a follower
 * to wait for the next one, and has the element handled. The queue belongs to the caller; elements that are in it when
 * the pool is closed stay there. Elements also stay in the queue behind one that no thread may handle now, because all
 * threads wait for responses and are nested as deeply as their {@link BoundLeaderFollowersPool} allows.
 *
 * @param <E> the type of the elements
 */
public final class QueueSource<E> implements EventSource {

    private final BlockingQueue<? extends E> queue;
    private final ElementHandler<? super E> handler;
    private final boolean bound;
    private final Object lock = new Object();
    private @Nullable DispatchTrace trace;

    /** For the next element; accessed only by the thread that waits. Null if it has been used. */
    private @Nullable Arrival next;

    // Guarded by the lock.

    private @Nullable Thread waiting;
    private boolean wokenUp;
    /** Number of elements taken whose handling has been deferred. Read without the lock as well. */
    private volatile int deferred;

    /**
     * Creates a source of a queue.
     *
     * @param queue   from which the elements are taken
     * @param handler called with each of them
     */
    public QueueSource(BlockingQueue<? extends E> queue, ElementHandler<? super E> handler) {
        this.queue = Objects.requireNonNull(queue, "queue");
        this.handler = Objects.requireNonNull(handler, "handler");
        this.bound = handler.isBound();
    }

    @Override
    public boolean isConcurrent() {
        return false;
    }

    @Override
    public void recordTo(DispatchTrace recording) {
        trace = recording;
    }

    @Override
    public Waiter newWaiter() {
        return this::await;
    }

    private @Nullable PendingEvent await(long timeoutNanos) {
        if (deferred > 0) {
            waitForHandling(timeoutNanos < 0 ? Long.MAX_VALUE : timeoutNanos);
            return null;
        }
        // Created before the element is taken, which would be lost if there were no memory for this afterwards.
        Arrival arrival = next == null ? new Arrival() : next;
        next = arrival;
        E element = queue.poll();
        if (element == null && timeoutNanos != 0 && beginWait()) {
            element = waitForElement(timeoutNanos < 0 ? Long.MAX_VALUE : timeoutNanos);
        }
        if (element == null) {
            return null;
        }
        next = null;
        arrival.element = element;
        return arrival;
    }

    /** Waits until a thread has taken over the deferred elements, for a wake-up, or for the timeout. */
    private void waitForHandling(long timeoutNanos) {
        long begin = Timeout.begin(timeoutNanos);
        boolean interrupted = false;
        synchronized (lock) {
            long left = timeoutNanos;
            while (deferred > 0 && !wokenUp && left > 0) {
                try {
                    TimeUnit.NANOSECONDS.timedWait(lock, left);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
                left = Timeout.remaining(timeoutNanos, begin);
            }
            wokenUp = false;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean beginWait() {
        synchronized (lock) {
            boolean mayWait = !wokenUp;
            wokenUp = false;
            waiting = mayWait ? Thread.currentThread() : null;
            return mayWait;
        }
    }

    // An interrupt is the only thing that ends a wait on any kind of queue. An interrupt that is not from a wake-up is
    // kept for later.
    private @Nullable E waitForElement(long timeoutNanos) {
        long begin = Timeout.begin(timeoutNanos);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return queue.poll(Timeout.remaining(timeoutNanos, begin), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    if (isWokenUp()) {
                        return null;
                    }
                    interrupted = true;
                }
            }
        } finally {
            endWait();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean isWokenUp() {
        synchronized (lock) {
            return wokenUp;
        }
    }

    private void endWait() {
        synchronized (lock) {
            waiting = null;
            if (wokenUp) {
                // The wake-up's interrupt may have come only after the element.
                Thread.interrupted();
                wokenUp = false;
            }
        }
    }

    /** An element that has been taken out of the queue. */
    private final class Arrival implements PendingEvent {

        /** The element; null before it has been taken. */
        private @Nullable E element;
        private boolean isDeferred;

        @Override
        public Promotion promotion() {
            return bound ? Promotion.BY_HANDLER : Promotion.BEFORE_DISPATCH;
        }

        @Override
        public boolean isBound() {
            return bound;
        }

        @Override
        public void defer() {
            isDeferred = true;
            change(1);
        }

        @Override
        public void process() {
            if (isDeferred) {
                change(-1);
            }
            E taken = element;
            assert taken != null;
            try {
                if (trace == null) {
                    handler.handleElement(taken);
                } else {
                    handleTraced(trace, taken);
                }
            } catch (Throwable e) {
                try {
                    handler.handleFailure(taken, e);
                } catch (Throwable failure) {
                    HookFailure.logUndelivered(handler, e, failure);
                }
            }
        }

        private void change(int count) {
            synchronized (lock) {
                deferred += count;
                lock.notifyAll();
            }
        }
    }

    private void handleTraced(DispatchTrace record, E element) throws Exception {
        record.begin("handleElement", handler, element);
        try {
            handler.handleElement(element);
        } finally {
            record.end();
        }
    }

    @Override
    public void wakeUp() {
        synchronized (lock) {
            wokenUp = true;
            lock.notifyAll();
            if (waiting != null) {
                waiting.interrupt();
            }
        }
    }

    @Override
    public void close() {
        // The queue belongs to the caller.
        wakeUp();
    }

    /** {@return the queue's class, for example {@code queue LinkedBlockingQueue}} */
    @Override
    public String toString() {
        return "queue " + queue.getClass().getSimpleName();
    }
}
