package dev.sluice.samples.conversation;

import java.io.IOException;

/**
 * What a server and one client have to say to each other, in steps that do not wait. It knows its socket and the
 * protocol; who takes the next step, and when, is left to the concurrency model. For one thread at a time, not always
 * the same one.
 */
public interface Conversation {

    /** What a conversation waits for. */
    enum Next {
        /** Until something can be received. */
        RECEIVE,
        /** Until something can be sent. */
        SEND,
        /** For nothing; only the others have waited long enough. */
        ANOTHER_TURN,
        /** For nothing any more: the connection is to be closed. */
        CLOSE
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
     * Goes on until the socket would have to be waited for, or the others have waited long enough.
     *
     * @param since when the socket was found ready, by {@link System#nanoTime()}
     * @return what to wait for
     * @throws IOException if the connection is to be closed
     */
    Next advance(long since) throws IOException;

    /**
     * Waits in the kernel for what {@link #advance} has asked for. For a thread that has nothing else to do.
     *
     * @param next what to wait for, {@link Next#RECEIVE} or {@link Next#SEND}
     * @return false if the stream has ended instead
     * @throws IOException if the connection is to be closed
     */
    boolean await(Next next) throws IOException;
}
