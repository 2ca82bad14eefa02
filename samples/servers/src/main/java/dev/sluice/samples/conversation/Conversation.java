package dev.sluice.samples.conversation;

import java.io.IOException;

/**
 * The exchange between a server and one client, in steps that do not block. It knows its socket and the protocol; the
 * concurrency strategy decides which thread takes the next step, and when. For one thread at a time, not always the
 * same one, unless a method says otherwise.
 */
public interface Conversation {

    /** What a conversation waits for. */
    enum Next {
        /** Waits until something can be received. */
        RECEIVE,
        /** Waits until something can be sent. */
        SEND,
        /** Waits for the {@linkplain #pause() time} to send more. */
        PAUSE,
        /** Waits until {@linkplain #wokenBy another thread} wakes the connection. */
        AWAIT,
        /** Continues after other connections have been served. */
        ANOTHER_QUANTUM,
        /** Moves the connection {@linkplain #move elsewhere}; all that has been received has been answered. */
        MOVE,
        /** Closes the connection. */
        CLOSE
    }

    /**
     * Called if the concurrency strategy does not reserve a thread for the connection, so that it can wait for another
     * thread: {@link #advance} may then return {@link Next#AWAIT}. Called once, before the first step, or never.
     *
     * @param waker causes a call of {@link #advance}; for any thread
     */
    default void wokenBy(Runnable waker) {
    }

    /**
     * Called by the asynchronous half of Half-Sync/Half-Async when the socket is ready, before the connection is queued
     * for the synchronous half: may receive a request. The default implementation leaves this to a worker.
     *
     * @return true if {@link #advance} must be called; false to continue waiting to receive
     * @throws IOException if the connection is to be closed at once
     */
    default boolean prepare() throws IOException {
        return true;
    }

    /**
     * Proceeds until it would have to wait for the socket, or until other connections have to be served. May also be
     * called if the socket is not ready, after {@link #finish()} or when it {@link #isLate}.
     *
     * @param since the time at which the socket was found ready, by {@link System#nanoTime()}
     * @return what to wait for
     * @throws IOException if the connection is to be closed
     */
    Next advance(long since) throws IOException;

    /** {@return the time to pause after {@link Next#PAUSE}, in nanoseconds; zero or less if it has elapsed} */
    default long pause() {
        return 0;
    }

    /**
     * Waits in the kernel for the event that {@link #advance} has returned, but no longer than the client's timeout.
     * For a thread of this connection alone.
     *
     * @param next what to wait for, {@link Next#RECEIVE} or {@link Next#SEND}
     * @return false if the stream has ended instead
     * @throws IOException if the connection is to be closed
     */
    boolean await(Next next) throws IOException;

    /**
     * {@return whether the client's timeout has elapsed, so that {@link #advance} must be called} The default
     * implementation returns false. For any thread, also while another one is in {@link #advance}.
     *
     * @param now by {@link System#nanoTime()}
     */
    default boolean isLate(long now) {
        return false;
    }

    /**
     * Called if it {@linkplain #isLate is late} while it waits to send, to check whether the client has taken something
     * nevertheless, and then extend its time. Called by the thread that looks for late connections.
     *
     * @return true if it is not late any more; false by default
     * @throws IOException if the connection is broken
     */
    default boolean goesOnSending() throws IOException {
        return false;
    }

    /**
     * Requests the end: received requests are answered, then the conversation ends. For any thread, also while another
     * one is in {@link #advance}.
     *
     * @return true if it has noted the request, so that {@link #advance} must be called; false, the default, if its
     *         input has to be shut down instead
     */
    default boolean finish() {
        return false;
    }

    /**
     * Asks for {@link Next#MOVE} when the next request would begin, if it can: the connection begins another
     * conversation elsewhere then. The default implementation does nothing. For any thread, also while another one is
     * in {@link #advance}.
     */
    default void move() {
    }

    /**
     * Called once, after the last step, when the connection is closed or about to move. The default implementation does
     * nothing.
     */
    default void close() {
    }
}
