package dev.sluice.samples.conversation;

import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.Registration;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.util.function.Function;

/** A connection whose conversation is run by one thread, from its beginning to its end. */
abstract class ThreadedConnection extends ConversationHandler {

    private final ThreadPerConnection threads;

    ThreadedConnection(ConversationFactory conversations, Function<Dispatcher, Connections> open,
                       ThreadPerConnection threads) {
        super(conversations, open);
        this.threads = threads;
    }

    @Override
    void begin() throws IOException {
        try {
            threads.start(this);
        } catch (Throwable e) {
            endConversation();
            throw e;
        }
    }

    /** Runs the conversation to its end, in the connection's thread. */
    final void run() {
        try {
            if (Dialogue.converse(peer(), conversation(), this::awaitSocket)) {
                beginLeaving();
            }
        } catch (Throwable e) {
            Failures.log(peer(), e);
        } finally {
            endConversation();
        }
        leave(registration());
    }

    /** The thread is done: if the connection moves, has it do so as soon as nothing waits for it any more. */
    private void leave(Registration registration) {
        if (registration == null) {
            handOnIfLeaving();
        } else if (isLeaving()) {
            registration.close();
        }
    }

    /** {@return false if the stream has ended instead} */
    abstract boolean awaitSocket(Conversation.Next next) throws IOException;
}
