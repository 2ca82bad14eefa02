package dev.sluice.connection;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/** The state of the orderly end of a connection. */
final class Closing {

    private static final AtomicIntegerFieldUpdater<Closing> REPLIES =
            AtomicIntegerFieldUpdater.newUpdater(Closing.class, "replies");

    // Written by any thread

    /** Whether the output is shut down when all has been sent. */
    private volatile boolean endsOutput;
    /** Whether the connection is closed after that; until then, its input is discarded. */
    private volatile boolean closes;
    /** The method by which the program has ended the output; null if the library has ended it. */
    private volatile @Nullable String endedBy;
    /** Number of announced replies that have not been sent. */
    private volatile int replies;

    // Written by the owner, read by any thread

    private volatile boolean over;
    private volatile @Nullable Throwable cause;

    // Accessed only by the owner

    private boolean outputShutDown;
    private boolean inputEnded;
    private boolean lingers;

    /**
     * Begins the end of the output.
     *
     * @param method the method that the program has called; null for the library
     * @param close  whether the connection is to be closed
     */
    void begin(@Nullable String method, boolean close) {
        if (endedBy == null) {
            endedBy = method;
        }
        if (close) {
            // Not assigned unconditionally, because another thread's shutdown would reset it.
            closes = true;
        }
        endsOutput = true;
    }

    /** {@return whether data may be sent} */
    boolean isAccepting() {
        return !over && !endsOutput;
    }

    /**
     * {@return whether the owner may send data}
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

    /** {@return whether an announced reply has not been sent} */
    boolean expectsReply() {
        return replies > 0;
    }

    void replied() {
        REPLIES.decrementAndGet(this);
    }

    boolean discardsInput() {
        return closes;
    }

    /** {@return whether the output must be shut down when all data has been sent} */
    boolean awaitsShutdown() {
        return endsOutput && !outputShutDown && !expectsReply() && !over;
    }

    void outputShutDown() {
        outputShutDown = true;
    }

    /** Begins to wait only for the end of the peer's output, if the time has come. Returns whether that begins now. */
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

    /** Ends the connection. Returns false if it had already ended. */
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
