package dev.sluice.stages.io;

import dev.sluice.failure.StackReserve;
import dev.sluice.hook.HookFailure;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.ReleasableEvent;
import dev.sluice.stages.Reservation;
import dev.sluice.stages.SpaceListener;
import dev.sluice.timer.Timer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work for one of the socket stages: a request of the application, or the result of an operation. It is in the stage's
 * queue at most once, however often it is signalled; when it is served, everything that has happened until then is
 * handled. Only the stage's thread serves it. Once the stage has ended, a thread that signals it abandons it instead:
 * one thread at a time, and not before the stage's thread has left it.
 */
abstract class SocketRequest extends SpaceListener {

    private static final Logger LOG = LoggerFactory.getLogger(SocketRequest.class);
    /**
     * Time until an event that must be delivered, but that an admission of the application has rejected, is offered
     * again.
     */
    private static final Duration PAUSE = Duration.ofMillis(10);

    final SocketStages sockets;
    private final RequestHandler stage;
    private final AtomicBoolean queued = new AtomicBoolean();
    /** Whether a timer will signal this. One timer is enough for several requests. */
    private final AtomicBoolean postponed = new AtomicBoolean();
    /** Number of pending calls of {@link #attend}. The thread that increments it to one executes all of them. */
    private final AtomicInteger pendingCalls = new AtomicInteger();
    /** Whether a queue has notified this of space, and no attempt to use it has been made yet. */
    private volatile boolean notified;
    /** Whether the stage has ended. */
    private volatile boolean ended;
    /** Its rank in a shuffled batch. */
    int rank;
    /** The event that is delivered next; null if there is none. Accessed only by the serving thread. */
    private @Nullable SocketEvent pending;

    SocketRequest(SocketStages sockets, RequestHandler stage) {
        this.sockets = sockets;
        this.stage = stage;
    }

    /** {@return the stage's queue} */
    final EventQueue<SocketRequest> queue() {
        return stage.queue();
    }

    /** Handles everything that has happened since the last call. */
    abstract void serve();

    /**
     * Called when serving has failed, to end the connection or socket. Called by the same thread, before anything else
     * is served.
     */
    abstract void fail(Throwable cause);

    /**
     * Delivers the last events and releases all resources, after the stage has ended. Called by any thread, instead of
     * {@link #serve}.
     */
    abstract void abandon();

    /** Releases its place, when its last event is about to be enqueued or is dropped. May be called repeatedly. */
    void releasePlace() {
    }

    /** Requests that this is served. Called by any thread. */
    final void signal() {
        if (!queued.compareAndSet(false, true)) {
            return;
        }
        boolean accepted = false;
        try {
            accepted = queue().enqueue(this) == EnqueueResult.ACCEPTED;
        } finally {
            if (!accepted) {
                // Otherwise the next signal would be ignored.
                queued.set(false);
            }
        }
        if (!accepted) {
            endOfStage();
        }
    }

    /** Called by any thread when the stage has ended. */
    final void endOfStage() {
        ended = true;
        serveExclusively();
    }

    /** Serves or abandons this, unless another thread is doing so: then that thread repeats it. */
    final void serveExclusively() {
        StackReserve.require();
        if (pendingCalls.getAndIncrement() > 0) {
            return;
        }
        Throwable thrown = null;
        int seen;
        do {
            seen = pendingCalls.get();
            try {
                attend();
            } catch (RuntimeException | Error e) {
                thrown = e;
                notifyFailure(e);
            }
        } while (!pendingCalls.compareAndSet(seen, 0));
        if (thrown instanceof Error error) {
            throw error;
        } else if (thrown != null) {
            throw (RuntimeException) thrown;
        }
    }

    /** Calls {@link #fail}, and logs its exceptions. */
    private void notifyFailure(Throwable cause) {
        try {
            fail(cause);
        } catch (Throwable e) {
            HookFailure.logUndelivered(this, cause, e);
        }
    }

    private void attend() {
        if (ended) {
            abandon();
        } else {
            serve();
        }
    }

    /** Called when it has left the queue: a signal from now on enqueues it again. */
    final void taken() {
        queued.set(false);
    }

    /**
     * Prevents further signals, so that another request can use its place in the queue.
     *
     * @return true once, if it is not in the queue; otherwise it may be retired when it is served
     */
    final boolean retire() {
        return queued.compareAndSet(false, true);
    }

    @Override
    protected final void spaceAvailable() {
        notified = true;
        signal();
    }

    /**
     * {@return whether there is space in a queue, and this request may take it} Other requests may wait for space as
     * well. A request that was notified does not yield to them: the queue notifies no more requests than it has space
     * for, and two requests that yield to each other would be notified forever.
     */
    final boolean mayEnter(EventQueue<?> target) {
        boolean first = notified;
        notified = false;
        return target.length() < target.threshold() && (first || !target.hasWaiters());
    }

    /** Signals this when there is space in a queue. */
    final void awaitSpace(EventQueue<?> full) {
        if (!full.notifyWhenHalfEmpty(this)) {
            // It is still registered with another queue, which may notify it much later.
            signalAfter(PAUSE, postponed);
        }
    }

    /**
     * Signals this after a pause.
     *
     * @param pause the length of the pause
     * @param timed whether such a timer exists already; then no other one is set
     * @return the timer; null if no new one was set
     */
    final @Nullable Timer signalAfter(Duration pause, AtomicBoolean timed) {
        if (!timed.compareAndSet(false, true)) {
            return null;
        }
        try {
            return sockets.proactor.schedule(token -> {
                timed.set(false);
                signal();
            }, null, pause);
        } catch (RuntimeException | Error e) {
            timed.set(false);
            throw e;
        }
    }

    // Delivering events: called by the thread that serves

    final void setPending(SocketEvent event) {
        pending = event;
    }

    /**
     * Delivers the pending event, if there is one. If the queue has no space, this is signalled once there is some.
     *
     * @return whether no event is pending any more
     */
    final boolean deliverPending(EventQueue<? super SocketEvent> target) {
        if (pending != null && !(isLast(pending) ? deliverLast(target, pending) : deliver(target, pending))) {
            return false;
        }
        pending = null;
        return true;
    }

    /**
     * Drops the pending event.
     *
     * @return whether there was one
     */
    final boolean dropPending() {
        SocketEvent event = pending;
        pending = null;
        if (event != null) {
            drop(event);
        }
        return event != null;
    }

    /** {@return whether the event is the last one of its source, which keeps its place until then} */
    private static boolean isLast(SocketEvent event) {
        return event instanceof ConnectionClosed || event instanceof ConnectFailed
                || event instanceof ServerSocketClosed;
    }

    /**
     * Puts an event into an application's queue. If there is no space, this is signalled once there is.
     *
     * @return true if it was enqueued, or dropped because the queue is closed or has rejected it after the stage has
     *         ended
     */
    final boolean deliver(EventQueue<? super SocketEvent> target, SocketEvent event) {
        return settle(target.enqueue(event), target, event);
    }

    /**
     * Delivers the last event of its source. The place is released as soon as there is space for the event, and not
     * before, so that the number of events that wait for space is bounded; and before the event is enqueued, so that
     * its handler finds the place free.
     */
    private boolean deliverLast(EventQueue<? super SocketEvent> target, SocketEvent event) {
        try (Reservation<?> reservation = target.prepare(event)) {
            if (!settle(reservation.result(), target, event)) {
                return false;
            }
            releasePlace();
            if (reservation.result() == EnqueueResult.ACCEPTED) {
                reservation.commit();
            }
            return true;
        }
    }

    /** {@return as {@link #deliver}} */
    private boolean settle(EnqueueResult result, EventQueue<? super SocketEvent> target, SocketEvent event) {
        switch (result) {
            case FULL -> {
                awaitSpace(target);
                return false;
            }
            case REJECTED -> {
                if (!ended) {
                    signalAfter(PAUSE, postponed);
                    return false;
                }
                drop(event);
            }
            case CLOSED -> drop(event);
            default -> { }
        }
        return true;
    }

    /** Releases the resources of an event that reaches no queue. */
    final void drop(SocketEvent event) {
        if (event instanceof AsyncConnection connection) {
            connection.close();
        } else if (isLast(event)) {
            releasePlace();
        } else {
            // A zero-copy packet is often sent, and then released by the handler of this event.
            release(event instanceof PacketSent sent ? sent.token() : event);
        }
    }

    /** Releases the object if it is a {@link ReleasableEvent}. */
    static void release(@Nullable Object held) {
        if (held instanceof ReleasableEvent releasable) {
            try {
                releasable.release();
            } catch (Throwable e) {
                HookFailure.log(LOG, releasable, "leaving a connection", e);
            }
        }
    }
}
