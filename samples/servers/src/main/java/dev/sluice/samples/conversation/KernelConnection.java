package dev.sluice.samples.conversation;

import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.Registration;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.util.function.Function;

/** Waits in the kernel, and knows itself for how long. For platform threads. */
final class KernelConnection extends ThreadedConnection {

    KernelConnection(ConversationFactory conversations, Function<Dispatcher, Connections> open,
                     ThreadPerConnection threads) {
        super(conversations, open, threads);
    }

    /** Not at all: its thread waits in the kernel. */
    @Override
    protected Registration register() {
        return null;
    }

    @Override
    public void handleInput(Registration registration) {
        throw new AssertionError("it is not registered");
    }

    @Override
    boolean awaitSocket(Conversation.Next next) throws IOException {
        return conversation().await(next);
    }

    /** Nothing else gets a thread out of poll(2) that waits to receive. */
    @Override
    void wake() {
        endInput();
    }

    /** The thread wakes up by itself. */
    @Override
    public void expire() {
    }

}
