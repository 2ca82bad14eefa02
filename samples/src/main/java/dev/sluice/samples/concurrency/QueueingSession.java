package dev.sluice.samples.concurrency;

import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.EventHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of the Half-Sync/Half-Async model: the I/O thread receives requests into memory that it allocates for
 * them, and workers serve them. The handle is silent while a worker has its requests, so that they are answered in
 * order.
 */
final class QueueingSession implements EventHandler {

    private static final Logger LOG = LoggerFactory.getLogger(QueueingSession.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A worker's own: only what passes from one thread to another has to be allocated for each request. */
    private static final ThreadLocal<ByteBuffer> RESPONSE =
            ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(Frames.BUFFER));

    private final SocketStream stream;
    private final RequestHandler service;
    private final HandleControl control;
    private final Executor workers;
    private final ByteBuffer received = ByteBuffer.allocateDirect(Frames.BUFFER);

    QueueingSession(SocketStream stream, RequestHandler service, HandleControl control, Executor workers) {
        this.stream = stream;
        this.service = service;
        this.control = control;
        this.workers = workers;
    }

    @Override
    public Handle handle() {
        return stream.handle();
    }

    @Override
    public void handleInput(Handle handle) throws IOException {
        int count;
        int size;
        do {
            count = stream.receive(received);
            size = completeRequests();
        } while (count > 0 && size == 0);
        if (size > 0) {
            hand(handle, size);
        } else if (count == SocketStream.END_OF_STREAM) {
            handle.close();
        }
    }

    /** {@return the bytes of all requests that have been received completely} */
    private int completeRequests() throws IOException {
        received.flip();
        int size = 0;
        for (int length = Frames.complete(received); length >= 0; length = Frames.complete(received)) {
            size += Frames.HEADER + length;
            received.position(size);
        }
        received.position(received.limit()).limit(received.capacity());
        return size;
    }

    private void hand(Handle handle, int size) {
        ByteBuffer requests = ByteBuffer.allocate(size);
        requests.put(0, received, 0, size);
        received.flip().position(size);
        received.compact();
        control.deactivate(handle);
        workers.execute(() -> serve(requests));
    }

    private void serve(ByteBuffer requests) {
        try {
            ByteBuffer response = RESPONSE.get();
            for (int length = Frames.complete(requests); length >= 0; length = Frames.complete(requests)) {
                Frames.serve(service, requests, length, response);
                stream.sendFully(response, PATIENCE);
            }
            control.reactivate(handle());
        } catch (IOException | RuntimeException e) {
            handleFailure(handle(), e);
            stream.close();
        }
    }

    @Override
    public void handleFailure(Handle handle, Throwable cause) {
        LOG.debug("{}", handle, cause);
    }
}
