package dev.sluice.connection;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/** How far a connection is on the way to its end. */
final class Closing {

    private static final AtomicIntegerFieldUpdater<Closing> REPLIES =
            AtomicIntegerFieldUpdater.newUpdater(Closing.class, "replies");

    // Written by any thread

    /** Whether the output is shut down when all has been sent. */
    private volatile boolean endsOutput;
    /** Whether the connection is closed then; its input is discarded meanwhile. */
    private volatile boolean closes;
    /** The call with which the program has ended the output; null if the library has. */
    private volatile @Nullable String endedBy;
    /** Number of replies that were announced and have not come. */
    private volatile int replies;

    // Written by the owner, read by any thread

    private volatile boolean over;
    private volatile @Nullable Throwable cause;

    // Of the owner

    private boolean outputShutDown;
    private boolean inputEnded;
    private boolean lingers;

    /**
     * Begins the end of the output.
     *
     * @param method the program's call; null for one of the library
     * @param close  whether the connection is to be closed
     */
    void begin(@Nullable String method, boolean close) {
        if (endedBy == null) {
            endedBy = method;
        }
        if (close) {
            // Not |=, with which another thread's shutdown would undo it.
            closes = true;
        }
        endsOutput = true;
    }

    /** {@return whether something may be sent} */
    boolean isAccepting() {
        return !over && !endsOutput;
    }

    /**
     * {@return whether the owner may send something}
     *
     * @throws IllegalStateException if the program itself has ended the output
     */
    boolean accepts(String method, Object connection) {
        if (isAccepting()) {
            return true;
        }
        if (endedBy != null) {
            throw new IllegalStateException(method + ": " + endedBy + " was called before; send first: " + connection);
        }
        return false;
    }

    void expectReply() {
        REPLIES.incrementAndGet(this);
    }

    /** {@return whether a reply was announced and has not come} */
    boolean expectsReply() {
        return replies > 0;
    }

    void replied() {
        REPLIES.decrementAndGet(this);
    }

    boolean discardsInput() {
        return closes;
    }

    /** {@return whether the output is to be shut down as soon as all has been sent} */
    boolean awaitsShutdown() {
        return endsOutput && !outputShutDown && !expectsReply() && !over;
    }

    void outputShutDown() {
        outputShutDown = true;
    }

    /** {@return whether only the end of the peer's output is waited for from now on} */
    boolean beginsToLinger() {
        boolean begins = outputShutDown && closes && !lingers && !over;
        lingers |= begins;
        return begins;
    }

    void inputEnded() {
        inputEnded = true;
    }

    boolean hasInputEnded() {
        return inputEnded;
    }

    boolean isOutputShutDown() {
        return outputShutDown;
    }

    /** {@return false if it was over before} */
    boolean end(@Nullable Throwable why) {
        if (over) {
            return false;
        }
        cause = why;
        over = true;
        return true;
    }

    boolean isOver() {
        return over;
    }

    @Nullable Throwable cause() {
        return cause;
    }
}
