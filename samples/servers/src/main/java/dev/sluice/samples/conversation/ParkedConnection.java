package dev.sluice.samples.conversation;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.Registration;
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
    protected Registration register() throws IOException {
        return dispatcher().register(handle(), Interest.NONE, this);
    }

    @Override
    boolean awaitSocket(Conversation.Next next) {
        registration().interest(next == Conversation.Next.SEND ? Interest.WRITE : Interest.READ);
        ready.acquireUninterruptibly();
        return true;
    }

    @Override
    public void handleInput(Registration registration) {
        registration.interest(Interest.NONE);
        wake();
    }

    @Override
    public void handleOutput(Registration registration) {
        handleInput(registration);
    }

    /** Wakes the thread, possibly spuriously: the next step then finds nothing to do, and waits again. */
    @Override
    void wake() {
        ready.release();
    }

    @Override
    public void handleClose(Registration registration) {
        closePeer();
        leave();
        handOnIfLeaving();
        // The next step, after this wait, finds it closed.
        wake();
    }
}
