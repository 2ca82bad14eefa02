package dev.sluice.stage.io;

import dev.sluice.stage.EventQueue;
import dev.sluice.stage.Outcome;
import dev.sluice.stage.RoomNotice;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Something for one of the socket stages to do: a request of the application, or what has come of an operation. It is
 * in the stage's queue at most once, whatever happens meanwhile; all that has happened is found when it is served. Only
 * the stage's thread serves.
 */
abstract class SocketRequest extends RoomNotice {

    /** How long to wait for an application's admission that has refused something which cannot be dropped. */
    private static final Duration PAUSE = Duration.ofMillis(10);

    private final SocketStages sockets;
    private final AtomicBoolean queued = new AtomicBoolean();
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

    /** Serving has failed, which must not have anybody wait forever. */
    abstract void fail(Throwable cause);

    /** The stage has ended, and this will not be served any more. Called by any thread. */
    abstract void abandon();

    /** There is something to do. Called by any thread. */
    final void signal() {
        if (queued.compareAndSet(false, true) && queue().enqueue(this) != Outcome.ACCEPTED) {
            queued.set(false);
            abandon();
        }
    }

    /** What is signalled from now on is served again. */
    final void taken() {
        queued.set(false);
    }

    @Override
    protected final void roomAgain() {
        signal();
    }

    /** Has it be signalled later. */
    final void signalAfter(Duration delay) {
        sockets.proactor().schedule(token -> signal(), null, delay);
    }

    /**
     * Puts an event into an application's queue. If there is no room, this is signalled once there is.
     *
     * @return whether it is there; also if nobody will ever want it, because the queue is closed
     */
    final boolean deliver(EventQueue<? super SocketEvent> target, SocketEvent event) {
        Outcome outcome = target.enqueue(event);
        if (outcome == Outcome.FULL) {
            target.tellWhenHalfEmpty(this);
        } else if (outcome == Outcome.REFUSED) {
            signalAfter(PAUSE);
        } else if (outcome == Outcome.CLOSED) {
            drop(event);
        }
        return outcome == Outcome.ACCEPTED || outcome == Outcome.CLOSED;
    }

    private static void drop(SocketEvent event) {
        if (event instanceof AsyncConnection connection) {
            connection.close();
        } else if (event instanceof Packet packet) {
            packet.release();
        }
    }

    final int rank() {
        return rank;
    }

    final void setRank(int newRank) {
        rank = newRank;
    }
}
