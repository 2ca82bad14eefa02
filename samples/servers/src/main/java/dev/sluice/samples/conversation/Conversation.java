package dev.sluice.samples.conversation;

import java.io.IOException;

/**
 * What a server and one client have to say to each other, in steps that do not wait. It knows its socket and the
 * protocol; who takes the next step, and when, is left to the concurrency strategy. For one thread at a time, not
 * always the same one, unless a method says otherwise.
 */
public interface Conversation {

    /** What a conversation waits for. */
    enum Next {
        /** Until something can be received. */
        RECEIVE,
        /** Until something can be sent. */
        SEND,
        /** Until the {@linkplain #pause() time} comes to send more. */
        PAUSE,
        /** Until {@linkplain #wokenBy another thread} wakes the connection. */
        AWAIT,
        /** For nothing; only the others have waited long enough. */
        ANOTHER_TURN,
        /** For nothing any more: the connection is to be closed. */
        CLOSE
    }

    /**
     * The concurrency strategy keeps no thread for the connection, and can wait for what another thread does: {@link
     * #advance} may ask for {@link Next#AWAIT}. Called once, before the first step, or never.
     *
     * @param waker has {@link #advance} be called; for any thread
     */
    default void wokenBy(Runnable waker) {
    }

    /**
     * What the asynchronous half of Half-Sync/Half-Async does with a socket that is ready, before the connection is
     * queued for the synchronous half: receive a request, or nothing and leave it to a worker. The latter unless
     * overridden.
     *
     * @return whether there is something for {@link #advance} to do; else it goes on waiting to receive
     * @throws IOException if the connection is to be closed at once
     */
    default boolean prepare() throws IOException {
        return true;
    }

    /**
     * Goes on until the socket would have to be waited for, or the others have waited long enough. May also be called
     * though the socket is not ready, after {@link #finish()} or when it {@link #isLate}.
     *
     * @param since when the socket was found ready, by {@link System#nanoTime()}
     * @return what to wait for
     * @throws IOException if the connection is to be closed
     */
    Next advance(long since) throws IOException;

    /** {@return for how many nanoseconds nothing is to be done after {@link Next#PAUSE}; zero or less if it is over} */
    default long pause() {
        return 0;
    }

    /**
     * Waits in the kernel for what {@link #advance} has asked for, but not for longer than the conversation has
     * patience with its client. For a thread that has nothing else to do.
     *
     * @param next what to wait for, {@link Next#RECEIVE} or {@link Next#SEND}
     * @return false if the stream has ended instead
     * @throws IOException if the connection is to be closed
     */
    boolean await(Next next) throws IOException;

    /**
     * {@return whether the client has kept it waiting for too long, and {@link #advance} is to be called for that;
     * never unless overridden} For any thread, also while another one is in {@link #advance}.
     *
     * @param now by {@link System#nanoTime()}
     */
    default boolean isLate(long now) {
        return false;
    }

    /**
     * It {@linkplain #isLate is late} while it waits to send: asks whether its client has taken something nevertheless,
     * and then gives it more time. Called by the thread that looks for those that are late.
     *
     * @return whether it is not late any more; false unless overridden
     * @throws IOException if the connection is broken
     */
    default boolean goesOnSending() throws IOException {
        return false;
    }

    /**
     * Nothing new is to be waited for: what has come is answered, then the conversation ends. For any thread, also
     * while another one is in {@link #advance}.
     *
     * @return whether it has noted the stop, and {@link #advance} is to be called for that; false if its input has to
     *         be shut down instead, which is the default
     */
    default boolean finish() {
        return false;
    }

    /** It is over, and the connection closed. Called once, after the last step; does nothing unless overridden. */
    default void close() {
    }
}
