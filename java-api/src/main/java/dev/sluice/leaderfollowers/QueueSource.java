package dev.sluice.leaderfollowers;

import dev.sluice.deadline.Timeout;
import dev.sluice.demultiplexer.HandleSetKind;
import dev.sluice.hook.HookFailure;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A blocking queue as an event source (Leader/Followers paper, 10.5): the leader takes an element, promotes a follower
 * to wait for the next one, and has the element handled. The queue belongs to the caller; what is in it when the pool
 * is closed stays there.
 *
 * @param <E> the elements
 */
public final class QueueSource<E> implements EventSource {

    private final BlockingQueue<? extends E> queue;
    private final ElementHandler<? super E> handler;
    private final Object lock = new Object();
    private Thread waiting;
    private boolean wokenUp;

    /**
     * Makes a source of a queue.
     *
     * @param queue   from which the elements are taken
     * @param handler called with each of them
     */
    public QueueSource(BlockingQueue<? extends E> queue, ElementHandler<? super E> handler) {
        this.queue = Objects.requireNonNull(queue, "queue");
        this.handler = Objects.requireNonNull(handler, "handler");
    }

    @Override
    public HandleSetKind kind() {
        return HandleSetKind.ITERATIVE;
    }

    @Override
    public Waiter newWaiter() {
        return new QueueWaiter();
    }

    private final class QueueWaiter implements Waiter {

        @Override
        public PendingEvent await(long timeoutNanos) {
            E element = queue.poll();
            if (element == null && timeoutNanos != 0 && beginWait()) {
                element = waitForElement(timeoutNanos < 0 ? Long.MAX_VALUE : timeoutNanos);
            }
            E taken = element;
            return taken == null ? null : () -> handle(taken);
        }

        @Override
        public void close() {
            // The queue belongs to the caller.
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
    private E waitForElement(long timeoutNanos) {
        long begin = Timeout.begin(timeoutNanos);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return queue.poll(Timeout.left(timeoutNanos, begin), TimeUnit.NANOSECONDS);
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

    private void handle(E element) {
        try {
            handler.handleElement(element);
        } catch (Throwable e) {
            HookFailure.tell(handler, e, () -> handler.handleFailure(element, e));
        }
    }

    @Override
    public void wakeUp() {
        synchronized (lock) {
            wokenUp = true;
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
