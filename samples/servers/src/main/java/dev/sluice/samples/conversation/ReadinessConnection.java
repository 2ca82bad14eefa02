package dev.sluice.samples.conversation;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import dev.sluice.reactor.Dispatcher;
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

    /** What is awaited during a pause. */
    private static final int NOTHING = 0;

    private volatile int awaited = EventType.READ;
    private volatile boolean woken;

    ReadinessConnection(ConversationFactory conversations, Function<Dispatcher, Connections> open) {
        super(conversations, open);
    }

    /** Runs a quantum, or lets another thread run it. */
    abstract void ready() throws IOException;

    /** Changes the events that the handle set waits for. For any thread. */
    abstract void changeEvents(int events);

    /** Ends the registration, and with it the connection. */
    abstract void remove();

    /** {@return what to register for: it may have been woken before it has begun} */
    final int firstEvents() {
        return woken ? EventType.READ | EventType.WRITE : EventType.READ;
    }

    @Override
    public final void handleInput(Handle handle) throws IOException {
        ready();
    }

    @Override
    public final void handleOutput(Handle handle) throws IOException {
        if (awaited != EventType.WRITE) {
            // Woken, perhaps after a quantum that has run already. Unless this is noted, the writable socket would be
            // reported for ever.
            woken = true;
        }
        ready();
    }

    /**
     * Runs a quantum, then waits for the next event.
     *
     * @param since when the socket was found ready
     */
    final void runQuantum(long since) throws IOException {
        boolean wasWoken = woken;
        // Cleared before the conversation looks for its reason: a later wake-up then causes another quantum.
        woken = false;
        switch (conversation().advance(since)) {
            case RECEIVE -> await(EventType.READ, wasWoken);
            // Waiting until the socket is writable also lets other connections go first.
            case SEND, ANOTHER_TURN -> await(EventType.WRITE, wasWoken);
            case PAUSE -> pause(wasWoken);
            case AWAIT -> await(NOTHING, wasWoken);
            case CLOSE -> remove();
        }
    }

    private void pause(boolean wasWoken) {
        long nanos = conversation().pause();
        await(NOTHING, wasWoken);
        dispatcher().schedule(token -> wake(), null, Duration.ofNanos(Math.max(1, nanos)));
    }

    private void await(int events, boolean wasWoken) {
        if (awaited != events || wasWoken) {
            awaited = events;
            changeEvents(events);
        }
        if (woken) {
            changeEvents(EventType.READ | EventType.WRITE);
        }
    }

    @Override
    final void wake() {
        woken = true;
        if (awaited != EventType.WRITE) {
            changeEvents(EventType.READ | EventType.WRITE);
        }
    }

    @Override
    public final void expire() {
        if (awaited == EventType.READ) {
            wake();
            return;
        }
        // Of a client that takes nothing; sending fails from now on, which counts as ready.
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
