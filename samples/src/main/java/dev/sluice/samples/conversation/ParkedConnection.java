package dev.sluice.samples.conversation;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.util.concurrent.Semaphore;

/** Waits on a Java primitive while the reactor waits in the kernel. For virtual threads. */
final class ParkedConnection extends ThreadedConnection {

    private final Semaphore ready = new Semaphore(0);

    ParkedConnection(ConversationFactory conversations, Connections connections, ThreadPerConnection threads) {
        super(conversations, connections, threads);
    }

    @Override
    protected void begin() throws IOException {
        reactor().registerHandler(this, 0);
        super.begin();
    }

    @Override
    boolean awaitSocket(Conversation.Next next) {
        reactor().changeEvents(handle(), next == Conversation.Next.SEND ? EventType.WRITE : EventType.READ);
        ready.acquireUninterruptibly();
        return true;
    }

    @Override
    public void handleInput(Handle handle) {
        reactor().changeEvents(handle, 0);
        ready.release();
    }

    @Override
    public void handleOutput(Handle handle) {
        handleInput(handle);
    }

    @Override
    public void handleClose(Handle handle, int events) {
        super.handleClose(handle, events);
        // The next step, after this wait, finds it closed.
        ready.release();
    }
}
