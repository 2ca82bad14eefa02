package dev.sluice.samples.conversation;

import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.Registration;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.util.function.Function;

/** Waits in the kernel, with a timeout of its own. For platform threads. */
final class KernelConnection extends ThreadedConnection {

    KernelConnection(ConversationFactory conversations, Function<Dispatcher, Connections> open,
                     ThreadPerConnection threads) {
        super(conversations, open, threads);
    }

    /** Not supported: its thread waits in the kernel. */
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

    /** Shuts down the input: nothing else ends a wait of poll(2) for input. */
    @Override
    void wake() {
        endInput();
    }

    /** Its thread is not woken: it sees this before it waits for the next request. */
    @Override
    public void move() {
        conversation().move();
    }

    /** Does nothing: the thread wakes up by itself. */
    @Override
    public void expire() {
    }

}
