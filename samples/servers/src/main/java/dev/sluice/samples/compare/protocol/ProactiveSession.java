package dev.sluice.samples.compare.protocol;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.handle.Handle;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.CompletionHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection whose requests are received and responses sent by operations, one at a time. */
final class ProactiveSession implements CompletionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ProactiveSession.class);

    private final AsyncStream stream;
    private final RequestHandler service;
    private final ByteBuffer received = ByteBuffer.allocateDirect(Frames.BUFFER);
    private final ByteBuffer response = ByteBuffer.allocateDirect(Frames.BUFFER);

    ProactiveSession(AsyncStream stream, RequestHandler service) {
        this.stream = stream.withHandler(this);
        this.service = service;
    }

    void open() {
        stream.receive(received, null);
    }

    @Override
    public void handleCompletion(Completion completion) throws IOException {
        if (!completion.isSuccess() || completion.isEndOfStream()) {
            end(completion);
        } else {
            proceed();
        }
    }

    private void proceed() throws IOException {
        received.flip();
        int length = Frames.complete(received);
        if (length >= 0) {
            Frames.serve(service, received, length, response);
        }
        received.compact();
        if (length >= 0) {
            stream.send(response, null);
        } else {
            stream.receive(received, null);
        }
    }

    private void end(Completion completion) {
        LOG.debug("{}", stream, completion.error());
        stream.close();
    }

    @Override
    public void handleFailure(Handle handle, Throwable cause) {
        LOG.debug("{}", handle, cause);
        stream.close();
    }
}
