package dev.sluice.samples.concurrency;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.EventHandler;
import dev.sluice.samples.conversation.Conversation;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection whose requests are served by the thread that dispatches its events, on a reactor or a pool. */
final class ReactiveSession implements EventHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ReactiveSession.class);

    private final SocketStream stream;
    private final Conversation conversation;
    private final HandleControl control;
    private int awaited = EventType.READ;

    ReactiveSession(SocketStream stream, RequestHandler service, HandleControl control) {
        this.stream = stream;
        this.conversation = new FramedConversation(stream, service);
        this.control = control;
    }

    @Override
    public Handle handle() {
        return stream.handle();
    }

    @Override
    public void handleInput(Handle handle) throws IOException {
        switch (conversation.advance(System.nanoTime())) {
            case RECEIVE -> await(EventType.READ);
            case SEND, ANOTHER_TURN -> await(EventType.WRITE);
            case CLOSE -> handle.close();
        }
    }

    private void await(int events) {
        if (awaited != events) {
            awaited = events;
            control.changeEvents(handle(), events);
        }
    }

    @Override
    public void handleOutput(Handle handle) throws IOException {
        handleInput(handle);
    }

    @Override
    public void handleFailure(Handle handle, Throwable cause) {
        // Peers break connections all the time; it is news only to who looks for it.
        LOG.debug("{}", handle, cause);
    }
}
