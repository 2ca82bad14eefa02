package dev.sluice.samples.conversation;

import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.Registration;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.util.function.Function;

/** Continues a conversation in the thread of the reactor that has found its socket ready. */
final class LoopConnection extends ReadinessConnection {

    LoopConnection(ConversationFactory conversations, Function<Dispatcher, Connections> open) {
        super(conversations, open);
    }

    @Override
    void begin() {
        conversation().wokenBy(this::wake);
        registration().interest(firstInterest());
    }

    @Override
    void ready() throws IOException {
        runQuantum(System.nanoTime());
    }

    @Override
    public void handleClose(Registration registration) {
        closePeer();
        endConversation();
        handOnIfLeaving();
    }
}
