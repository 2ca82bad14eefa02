package dev.sluice.samples.conversation;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.Registration;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Function;

/**
 * A connection whose conversation continues when a handle set finds its socket ready, a quantum at a time, each on a
 * thread of the subclass's choice.
 *
 * <p>A quantum for another reason than the socket is requested by waiting until the socket is writable: it is so
 * immediately, unless the client reads nothing, and then the conversation waits for that anyway.
 */
abstract class ReadinessConnection extends ConversationHandler {

    private volatile Interest awaited = Interest.READ;
    private volatile boolean woken;

    ReadinessConnection(ConversationFactory conversations, Function<Dispatcher, Connections> open) {
        super(conversations, open);
    }

    /** Runs a quantum, or lets another thread run it. */
    abstract void ready() throws IOException;

    /** {@return the initial interest: it may have been woken before it has begun} */
    final Interest firstInterest() {
        return woken ? Interest.READ_WRITE : Interest.READ;
    }

    @Override
    public final void handleInput(Registration registration) throws IOException {
        ready();
    }

    @Override
    public final void handleOutput(Registration registration) throws IOException {
        if (awaited != Interest.WRITE) {
            // Woken, possibly after a quantum that has run already. Unless this is noted, the writable socket would be
            // reported forever.
            woken = true;
        }
        ready();
    }

    /**
     * Runs a quantum, then waits for the next event.
     *
     * @param since the time at which the socket was found ready
     */
    final void runQuantum(long since) throws IOException {
        boolean wasWoken = woken;
        // Cleared before the conversation looks for its reason: a later wake-up then causes another quantum.
        woken = false;
        switch (conversation().advance(since)) {
            case RECEIVE -> await(Interest.READ, wasWoken);
            // Waiting until the socket is writable also lets other connections go first.
            case SEND, ANOTHER_QUANTUM -> await(Interest.WRITE, wasWoken);
            case PAUSE -> pause(wasWoken);
            case AWAIT -> await(Interest.NONE, wasWoken);
            case MOVE -> {
                beginLeaving();
                registration().close();
            }
            case CLOSE -> registration().close();
        }
    }

    private void pause(boolean wasWoken) {
        long nanos = conversation().pause();
        await(Interest.NONE, wasWoken);
        dispatcher().schedule(token -> wake(), null, Duration.ofNanos(Math.max(1, nanos)));
    }

    private void await(Interest interest, boolean wasWoken) {
        if (awaited != interest || wasWoken) {
            awaited = interest;
            registration().interest(interest);
        }
        if (woken) {
            registration().interest(Interest.READ_WRITE);
        }
    }

    @Override
    final void wake() {
        woken = true;
        if (awaited != Interest.WRITE) {
            registration().interest(Interest.READ_WRITE);
        }
    }

    @Override
    public final void expire() {
        if (awaited == Interest.READ) {
            wake();
            return;
        }
        // For a client that takes nothing; sending fails from now on, which counts as ready.
        try {
            if (conversation().goesOnSending()) {
                return;
            }
            peer().shutdownOutput();
        } catch (IOException e) {
            Failures.log(peer(), e);
        }
    }
}
