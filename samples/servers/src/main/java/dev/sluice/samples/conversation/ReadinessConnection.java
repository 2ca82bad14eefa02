package dev.sluice.samples.conversation;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Function;

/**
 * A connection whose conversation goes on when a handle set finds its socket ready, in turns, each by a thread of the
 * subclass's choice.
 *
 * <p>A turn that the socket does not ask for is brought about by asking whether something can be sent: that is so at
 * once, unless the client takes nothing, and then it is what the conversation waits for anyway.
 */
abstract class ReadinessConnection extends ConversationHandler {

    /** What is awaited during a pause. */
    private static final int NOTHING = 0;

    private volatile int awaited = EventType.READ;
    private volatile boolean woken;

    ReadinessConnection(ConversationFactory conversations, Function<Dispatcher, Connections> open) {
        super(conversations, open);
    }

    /** Begins a turn, or sees to it that another thread does. */
    abstract void ready() throws IOException;

    /** Has the handle set wait for other events. For any thread. */
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
            // Woken, by another thread perhaps after a turn has been taken already: it would be told so for ever.
            woken = true;
        }
        ready();
    }

    /**
     * Takes a turn, and waits for what is next.
     *
     * @param since when the socket was found ready
     */
    final void takeTurn(long since) throws IOException {
        boolean wasWoken = woken;
        // Before the conversation looks what it has been woken for: if that comes later, so does another turn.
        woken = false;
        switch (conversation().advance(since)) {
            case RECEIVE -> await(EventType.READ, wasWoken);
            // What can be sent at once also gives others their turn first.
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
