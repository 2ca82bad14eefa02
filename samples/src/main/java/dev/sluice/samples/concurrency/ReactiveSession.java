package dev.sluice.samples.concurrency;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.EventHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection whose requests are served by the thread that dispatches its events, on a reactor or a pool. */
final class ReactiveSession implements EventHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ReactiveSession.class);

    private final SocketStream stream;
    private final RequestHandler service;
    private final HandleControl control;
    private final ByteBuffer received = ByteBuffer.allocateDirect(Frames.BUFFER);
    private final ByteBuffer response = ByteBuffer.allocateDirect(Frames.BUFFER).limit(0);

    ReactiveSession(SocketStream stream, RequestHandler service, HandleControl control) {
        this.stream = stream;
        this.service = service;
        this.control = control;
    }

    @Override
    public Handle handle() {
        return stream.handle();
    }

    @Override
    public void handleInput(Handle handle) throws IOException {
        // Once, and then the others have their turn: a client that is quick enough would keep the thread for itself.
        int count = stream.receive(received);
        if (count == SocketStream.END_OF_STREAM) {
            handle.close();
        } else if (count > 0 && !serveAll()) {
            control.changeEvents(handle, EventType.WRITE);
        }
    }

    /** {@return false if the peer does not take the responses} */
    private boolean serveAll() throws IOException {
        received.flip();
        try {
            for (int length = Frames.complete(received); length >= 0; length = Frames.complete(received)) {
                Frames.serve(service, received, length, response);
                stream.send(response);
                if (response.hasRemaining()) {
                    return false;
                }
            }
            return true;
        } finally {
            received.compact();
        }
    }

    @Override
    public void handleOutput(Handle handle) throws IOException {
        stream.send(response);
        if (!response.hasRemaining() && serveAll()) {
            control.changeEvents(handle, EventType.READ);
        }
    }

    @Override
    public void handleFailure(Handle handle, Throwable cause) {
        // Peers break connections all the time; it is news only to who looks for it.
        LOG.debug("{}", handle, cause);
    }
}
