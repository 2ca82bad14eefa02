package dev.sluice.samples.concurrency;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection with a thread of its own, which waits for each request. */
final class BlockingSession implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(BlockingSession.class);

    private final BlockingTransfer connection;
    private final RequestHandler service;

    BlockingSession(BlockingTransfer connection, RequestHandler service) {
        this.connection = connection;
        this.service = service;
    }

    @Override
    public void run() {
        try (connection) {
            serve();
        } catch (IOException | RuntimeException e) {
            LOG.debug("{}", connection, e);
        }
    }

    private void serve() throws IOException {
        ByteBuffer received = ByteBuffer.allocateDirect(Frames.BUFFER);
        ByteBuffer response = ByteBuffer.allocateDirect(Frames.BUFFER);
        while (connection.receive(received) > 0) {
            received.flip();
            for (int length = Frames.complete(received); length >= 0; length = Frames.complete(received)) {
                Frames.serve(service, received, length, response);
                connection.send(response);
            }
            received.compact();
        }
    }
}
