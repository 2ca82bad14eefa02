package dev.sluice.samples.conversation;

import dev.sluice.samples.server.Connections;
import java.io.IOException;

/** A connection whose conversation is one thread's, from its beginning to its end. */
abstract class ThreadedConnection extends ConversationHandler {

    private final ThreadPerConnection threads;

    ThreadedConnection(ConversationFactory conversations, Connections connections, ThreadPerConnection threads) {
        super(conversations, connections);
        this.threads = threads;
    }

    @Override
    protected void begin() throws IOException {
        threads.start(this);
    }

    /** Converses to the end. In the thread. */
    final void run() {
        try {
            converse();
        } catch (Throwable e) {
            handleFailure(handle(), e);
        } finally {
            leave();
        }
    }

    private void converse() throws IOException {
        try {
            Conversation.Next next = advance();
            while (next != Conversation.Next.CLOSE && await(next)) {
                next = advance();
            }
        } finally {
            peer().close();
        }
    }

    private Conversation.Next advance() throws IOException {
        return conversation().advance(System.nanoTime());
    }

    private boolean await(Conversation.Next next) throws IOException {
        if (next == Conversation.Next.ANOTHER_TURN) {
            Thread.yield();
            return true;
        }
        return awaitSocket(next);
    }

    /** {@return false if the stream has ended instead} */
    abstract boolean awaitSocket(Conversation.Next next) throws IOException;
}
