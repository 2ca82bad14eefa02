package dev.sluice.stage.io;

import dev.sluice.failure.StackReserve;
import dev.sluice.hook.HookFailure;
import dev.sluice.stage.EventQueue;
import dev.sluice.stage.Outcome;
import dev.sluice.stage.Preparation;
import dev.sluice.stage.ReleasableEvent;
import dev.sluice.stage.RoomNotice;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Something for one of the socket stages to do: a request of the application, or what has come of an operation. It is
 * in the stage's queue at most once, whatever happens meanwhile; all that has happened is found when it is served. Only
 * the stage's thread serves. Once the stage has ended, whoever would have it served has it abandoned, one at a time,
 * and not before the stage's thread has left it.
 */
abstract class SocketRequest extends RoomNotice {

    private static final Logger LOG = LoggerFactory.getLogger(SocketRequest.class);
    /** How long to wait for an application's admission that has refused something which cannot be dropped. */
    private static final Duration PAUSE = Duration.ofMillis(10);

    private final SocketStages sockets;
    private final AtomicBoolean queued = new AtomicBoolean();
    /** Whether a timer will signal this. One is enough, however often that is asked for before. */
    private final AtomicBoolean postponed = new AtomicBoolean();
    /** How many turns are due. Who makes it one takes all of them. */
    private final AtomicInteger turns = new AtomicInteger();
    /** Whether a queue has notified this of space that it has not tried to take yet. */
    private volatile boolean notified;
    /** Whether the stage has ended. */
    private volatile boolean ended;
    /** Where it comes in a batch that is shuffled. */
    private int rank;

    SocketRequest(SocketStages sockets) {
        this.sockets = sockets;
    }

    final SocketStages sockets() {
        return sockets;
    }

    /** {@return the stage's queue} */
    abstract EventQueue<SocketRequest> queue();

    /** Does what there is to do. */
    abstract void serve();

    /** Serving has failed, which must not have anybody wait forever. Called in the same turn. */
    abstract void fail(Throwable cause);

    /**
     * The stage has ended, and this will not be served any more: tells who has to be told, and gives back what is held.
     * Called by any thread, each time that it would be served.
     */
    abstract void abandon();

    /** There is something to do. Called by any thread. */
    final void signal() {
        if (queued.compareAndSet(false, true) && !enqueue()) {
            queued.set(false);
            endOfStage();
        }
    }

    private boolean enqueue() {
        try {
            return queue().enqueue(this) == Outcome.ACCEPTED;
        } catch (RuntimeException | Error e) {
            // The next signal is not to be taken for one too many.
            queued.set(false);
            throw e;
        }
    }

    /** The stage has ended. Called by any thread. */
    final void endOfStage() {
        ended = true;
        takeTurn();
    }

    /** Has this be served, or abandoned, unless another thread does: then that one does so once more. */
    final void takeTurn() {
        StackReserve.require();
        if (turns.getAndIncrement() > 0) {
            return;
        }
        Throwable thrown = null;
        int seen;
        do {
            seen = turns.get();
            try {
                attend();
            } catch (RuntimeException | Error e) {
                thrown = e;
                tellFailure(e);
            }
        } while (!turns.compareAndSet(seen, 0));
        if (thrown instanceof Error error) {
            throw error;
        } else if (thrown != null) {
            throw (RuntimeException) thrown;
        }
    }

    /** As {@link HookFailure#tell}, without memory for the call. */
    private void tellFailure(Throwable cause) {
        try {
            fail(cause);
        } catch (Throwable e) {
            HookFailure.untold(this, cause, e);
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
     * Has it be signalled no more, so that another one may have its place in the queue.
     *
     * @return whether that is so; otherwise it is there, and may be retired when it is served. True once
     */
    final boolean retire() {
        return queued.compareAndSet(false, true);
    }

    @Override
    protected final void roomAgain() {
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
        return target.length() < target.threshold() && (first || !target.isAwaited());
    }

    /** Has it be signalled when there is room in a queue. */
    final void awaitRoom(EventQueue<?> full) {
        if (!full.tellWhenHalfEmpty(this)) {
            // Another queue has to tell it first, and may take longer.
            postpone();
        }
    }

    /** Has it be signalled a little later. */
    private void postpone() {
        if (postponed.compareAndSet(false, true)) {
            try {
                sockets.proactor().schedule(token -> endPause(), null, PAUSE);
            } catch (RuntimeException | Error e) {
                postponed.set(false);
                throw e;
            }
        }
    }

    private void endPause() {
        postponed.set(false);
        signal();
    }

    /**
     * Puts an event into an application's queue. If there is no room, this is signalled once there is.
     *
     * @return whether it is there; also if nobody will ever want it, because the queue is closed, or if there is nobody
     *         any more who could offer it again
     */
    final boolean deliver(EventQueue<? super SocketEvent> target, SocketEvent event) {
        return settle(target.enqueue(event), target, event);
    }

    /**
     * The same for the last event of something that has kept a place for itself. It is given up as soon as there is
     * room for the event, and not before, so that what waits for room is bounded; and before the event is there, so
     * that whoever gets it finds the place free.
     */
    final boolean deliverLast(EventQueue<? super SocketEvent> target, SocketEvent event, Runnable place) {
        try (Preparation<?> room = target.prepare(event)) {
            if (!settle(room.outcome(), target, event)) {
                return false;
            }
            place.run();
            if (room.outcome() == Outcome.ACCEPTED) {
                room.commit();
            }
            return true;
        }
    }

    /** {@return as {@link #deliver}} */
    private boolean settle(Outcome outcome, EventQueue<? super SocketEvent> target, SocketEvent event) {
        switch (outcome) {
            case FULL -> {
                awaitRoom(target);
                return false;
            }
            case REFUSED -> {
                if (!ended) {
                    postpone();
                    return false;
                }
                drop(event);
            }
            case CLOSED -> drop(event);
            default -> { }
        }
        return true;
    }

    /** Nobody gets it, so nobody else gives back what it holds. */
    static void drop(SocketEvent event) {
        if (event instanceof AsyncConnection connection) {
            connection.close();
        } else {
            // What was lent is often sent, and then given back by whoever is told that it has been.
            release(event instanceof PacketSent sent ? sent.token() : event);
        }
    }

    /** Gives back what was lent, if it is that. */
    static void release(Object lent) {
        if (lent instanceof ReleasableEvent releasable) {
            try {
                releasable.release();
            } catch (Throwable e) {
                HookFailure.log(LOG, releasable, "leaving a connection", e);
            }
        }
    }

    final int rank() {
        return rank;
    }

    final void setRank(int newRank) {
        rank = newRank;
    }
}
