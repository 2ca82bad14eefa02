package dev.sluice.samples.conversation;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/** Waits on a Java primitive while the reactor waits in the kernel. For virtual threads. */
final class ParkedConnection extends ThreadedConnection {

    private final Semaphore ready = new Semaphore(0);

    ParkedConnection(ConversationFactory conversations, Function<Dispatcher, Connections> open,
                     ThreadPerConnection threads) {
        super(conversations, open, threads);
    }

    @Override
    void begin() throws IOException {
        dispatcher().registerHandler(this, 0);
        super.begin();
    }

    @Override
    boolean awaitSocket(Conversation.Next next) {
        dispatcher().changeEvents(handle(), next == Conversation.Next.SEND ? EventType.WRITE : EventType.READ);
        ready.acquireUninterruptibly();
        return true;
    }

    @Override
    public void handleInput(Handle handle) {
        dispatcher().changeEvents(handle, 0);
        wake();
    }

    @Override
    public void handleOutput(Handle handle) {
        handleInput(handle);
    }

    /** Perhaps for nothing: the next step then finds that there is nothing to do, and waits again. */
    @Override
    void wake() {
        ready.release();
    }

    @Override
    public void handleClose(Handle handle, int events) {
        handle.close();
        leave();
        // The next step, after this wait, finds it closed.
        wake();
    }
}
