package dev.sluice.samples.conversation;

import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

/** Runs one conversation in a thread of its own. */
final class Dialogue {

    /** How it waits for its socket. */
    @FunctionalInterface
    interface Waiting {

        /** {@return false if the stream has ended instead} */
        boolean await(Conversation.Next next) throws IOException;
    }

    private Dialogue() {
    }

    /** Runs the conversation to its end, and closes the stream unless it is to move; returns whether it is. */
    static boolean converse(SocketStream stream, Conversation conversation, Waiting waiting) throws IOException {
        Conversation.Next next = null;
        try {
            next = conversation.advance(System.nanoTime());
            while (next != Conversation.Next.CLOSE && next != Conversation.Next.MOVE
                    && await(next, conversation, waiting)) {
                next = conversation.advance(System.nanoTime());
            }
        } finally {
            if (next != Conversation.Next.MOVE) {
                stream.close();
            }
        }
        return next == Conversation.Next.MOVE;
    }

    private static boolean await(Conversation.Next next, Conversation conversation, Waiting waiting)
            throws IOException {
        switch (next) {
            case ANOTHER_QUANTUM -> Thread.yield();
            // A short pause, for which a stop can wait.
            case PAUSE -> LockSupport.parkNanos(conversation.pause());
            default -> {
                return waiting.await(next);
            }
        }
        return true;
    }
}
