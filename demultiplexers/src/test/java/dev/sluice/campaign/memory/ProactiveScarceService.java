package dev.sluice.campaign.memory;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.CompletionHandler;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Obeys and answers, on a proactor. Each operation that has been started completes once. */
final class ProactiveScarceService implements CompletionHandler {

    private final ScarceServer server;
    private final AsyncStream stream;
    private final ByteBuffer buffer;
    private boolean inFlight;

    ProactiveScarceService(ScarceServer server, AsyncStream connection) {
        this.server = server;
        buffer = server.newBuffer();
        stream = connection.withHandler(this);
    }

    void receive() {
        stream.receive(buffer, null);
        started();
    }

    private void started() {
        inFlight = true;
        server.tally().begin();
    }

    @Override
    public void handleCompletion(Completion completion) throws IOException {
        server.tally().require(inFlight, "completed without having been started, or twice");
        inFlight = false;
        server.tally().end();
        if (completion.type() == OperationType.SEND) {
            sent(completion);
        } else {
            received(completion);
        }
    }

    private void received(Completion completion) throws IOException {
        if (!completion.isSuccess() || completion.isEndOfStream()) {
            stream.close();
        } else if (buffer.hasRemaining()) {
            receive();
        } else {
            buffer.flip();
            server.obey(buffer);
            stream.send(buffer, null);
            started();
        }
    }

    private void sent(Completion completion) {
        if (completion.isSuccess()) {
            buffer.clear();
            receive();
        } else {
            stream.close();
        }
    }
}
