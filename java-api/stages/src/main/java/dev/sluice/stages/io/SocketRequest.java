package dev.sluice.stages.io;

import dev.sluice.failure.StackReserve;
import dev.sluice.hook.HookFailure;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.Outcome;
import dev.sluice.stages.ReleasableEvent;
import dev.sluice.stages.Reservation;
import dev.sluice.stages.SpaceListener;
import dev.sluice.timer.Timer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work for one of the socket stages: a request of the application, or the result of an operation. It is in the stage's
 * queue at most once, however often it is signalled; all that has happened until then is handled when it is served.
 * Only the stage's thread serves. Once the stage has ended, a thread that signals this abandons it instead: one thread
 * at a time, and not before the stage's thread has left it.
 */
abstract class SocketRequest extends SpaceListener {

    private static final Logger LOG = LoggerFactory.getLogger(SocketRequest.class);
    /** Time until an event that an admission of the application has refused, and that must arrive, is offered again. */
    private static final Duration PAUSE = Duration.ofMillis(10);

    final SocketStages sockets;
    private final RequestHandler stage;
    private final AtomicBoolean queued = new AtomicBoolean();
    /** Whether a timer will signal this. One is enough, however often that is asked for before. */
    private final AtomicBoolean postponed = new AtomicBoolean();
    /** Number of pending calls of {@link #attend}. The thread that makes it one executes all of them. */
    private final AtomicInteger pendingCalls = new AtomicInteger();
    /** Whether a queue has notified this of space that it has not tried to take yet. */
    private volatile boolean notified;
    /** Whether the stage has ended. */
    private volatile boolean ended;
    /** Where it comes in a batch that is shuffled. */
    int rank;
    /** The event that is delivered next; null if there is none. Accessed only by the thread that serves. */
    private SocketEvent pending;

    SocketRequest(SocketStages sockets, RequestHandler stage) {
        this.sockets = sockets;
        this.stage = stage;
    }

    /** {@return the stage's queue} */
    final EventQueue<SocketRequest> queue() {
        return stage.queue();
    }

    /** Does what there is to do. */
    abstract void serve();

    /** Serving has failed: ends what waits for it. Called by the same thread, before anything else is served. */
    abstract void fail(Throwable cause);

    /**
     * The stage has ended, and this will not be served any more: sends the events that are due, and releases what is
     * held. Called by any thread, each time that it would be served.
     */
    abstract void abandon();

    /** Its last event is about to be in a queue, or is dropped: releases its place. May be called repeatedly. */
    void releasePlace() {
    }

    /** There is something to do. Called by any thread. */
    final void signal() {
        if (!queued.compareAndSet(false, true)) {
            return;
        }
        boolean accepted = false;
        try {
            accepted = queue().enqueue(this) == Outcome.ACCEPTED;
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

    /** The stage has ended. Called by any thread. */
    final void endOfStage() {
        ended = true;
        serveExclusively();
    }

    /** Serves this, or abandons it, unless another thread is doing so: then that one does it once more. */
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

    /** What {@link #fail} throws is logged. */
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

    /** What is signalled from now on is served again. */
    final void taken() {
        queued.set(false);
    }

    /**
     * Stops it from being signalled, so that another one may have its place in the queue.
     *
     * @return whether it is stopped; otherwise it is in the queue, and may be retired when it is served. True once
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
     * {@return whether there is space in a queue, and it is this request's turn to take it} Other requests may wait for
     * space as well. A request that was notified does not give way to them: the queue notifies no more requests than it
     * has space for, and two requests that gave way to each other would be notified again and again.
     */
    final boolean mayEnter(EventQueue<?> target) {
        boolean first = notified;
        notified = false;
        return target.length() < target.threshold() && (first || !target.hasWaiters());
    }

    /** Signals this when there is space in a queue. */
    final void awaitSpace(EventQueue<?> full) {
        if (!full.notifyWhenHalfEmpty(this)) {
            // Another queue has to notify it first, and may take longer.
            signalAfter(PAUSE, postponed);
        }
    }

    /**
     * Signals this after a pause.
     *
     * @param pause the length of the pause
     * @param timed whether there is a timer for that already; then no other one is set
     * @return the timer; null if no new one was set
     */
    final Timer signalAfter(Duration pause, AtomicBoolean timed) {
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

    /** {@return whether no event is pending any more} If it finds no space, this is signalled once there is some. */
    final boolean deliverPending(EventQueue<? super SocketEvent> target) {
        if (pending != null && !(isLast(pending) ? deliverLast(target, pending) : deliver(target, pending))) {
            return false;
        }
        pending = null;
        return true;
    }

    /** {@return whether there was one} */
    final boolean dropPending() {
        SocketEvent event = pending;
        pending = null;
        if (event != null) {
            drop(event);
        }
        return event != null;
    }

    /** {@return whether what the event comes from has kept a place for itself until then} */
    private static boolean isLast(SocketEvent event) {
        return event instanceof ConnectionClosed || event instanceof ConnectFailed
                || event instanceof ServerSocketClosed;
    }

    /**
     * Puts an event into an application's queue. If there is no space, this is signalled once there is.
     *
     * @return whether it is there; also if it was dropped, because the queue is closed, or refuses it after the stage
     *         has ended
     */
    final boolean deliver(EventQueue<? super SocketEvent> target, SocketEvent event) {
        return settle(target.enqueue(event), target, event);
    }

    /**
     * The same for the last event. The place is released as soon as there is space for the event, and not before, so
     * that what waits for space is bounded; and before the event is there, so that its handler finds the place free.
     */
    private boolean deliverLast(EventQueue<? super SocketEvent> target, SocketEvent event) {
        try (Reservation<?> reservation = target.prepare(event)) {
            if (!settle(reservation.outcome(), target, event)) {
                return false;
            }
            releasePlace();
            if (reservation.outcome() == Outcome.ACCEPTED) {
                reservation.commit();
            }
            return true;
        }
    }

    /** {@return as {@link #deliver}} */
    private boolean settle(Outcome outcome, EventQueue<? super SocketEvent> target, SocketEvent event) {
        switch (outcome) {
            case FULL -> {
                awaitSpace(target);
                return false;
            }
            case REFUSED -> {
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

    /** The event reaches no queue, so what it holds is released here. */
    final void drop(SocketEvent event) {
        if (event instanceof AsyncConnection connection) {
            connection.close();
        } else if (isLast(event)) {
            releasePlace();
        } else {
            // What was lent is often sent, and then released by the handler of this event.
            release(event instanceof PacketSent sent ? sent.token() : event);
        }
    }

    /** Releases what was lent, if it is that. */
    static void release(Object lent) {
        if (lent instanceof ReleasableEvent releasable) {
            try {
                releasable.release();
            } catch (Throwable e) {
                HookFailure.log(LOG, releasable, "leaving a connection", e);
            }
        }
    }
}
