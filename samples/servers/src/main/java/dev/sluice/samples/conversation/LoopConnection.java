package dev.sluice.samples.conversation;

import dev.sluice.handle.Handle;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.util.function.Function;

/** Goes on with a conversation in the thread of the reactor that has found its socket ready. */
final class LoopConnection extends ReadinessConnection {

    LoopConnection(ConversationFactory conversations, Function<Dispatcher, Connections> open) {
        super(conversations, open);
    }

    @Override
    void begin() throws IOException {
        conversation().wokenBy(this::wake);
        dispatcher().registerHandler(this, firstEvents());
    }

    @Override
    void ready() throws IOException {
        runQuantum(System.nanoTime());
    }

    @Override
    void changeEvents(int events) {
        dispatcher().changeEvents(handle(), events);
    }

    @Override
    void remove() {
        dispatcher().removeHandler(this);
    }

    @Override
    public void handleClose(Handle handle, int events) {
        handle.close();
        endConversation();
    }
}
