package dev.sluice.campaign.memory;

import dev.sluice.connection.ServiceHandler;
import dev.sluice.reactor.Registration;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Obeys and answers, on a reactor. Each connection that has been opened is closed once. */
final class ReactiveScarceService extends ServiceHandler {

    private final ScarceServer server;
    private final ByteBuffer buffer;
    private boolean isOpen;
    private boolean isClosed;

    ReactiveScarceService(ScarceServer server) {
        this.server = server;
        buffer = server.newBuffer();
    }

    @Override
    protected void open() throws IOException {
        isOpen = true;
        server.tally().begin();
    }

    // Until there is no more, because the set may be one that tells it once.
    @Override
    public void handleInput(Registration registration) throws IOException {
        int count;
        while ((count = peer().receive(buffer)) > 0) {
            if (!buffer.hasRemaining()) {
                buffer.flip();
                server.obey(buffer);
                answer();
            }
        }
        if (count < 0) {
            registration.close();
        }
    }

    private void answer() throws IOException {
        if (peer().send(buffer) < Order.SIZE) {
            throw new EOFException("the peer does not read its answers");
        }
        buffer.clear();
    }

    @Override
    public void handleClose(Registration registration) {
        server.tally().require(!isClosed, "closed twice");
        isClosed = true;
        if (isOpen) {
            server.tally().end();
        }
        registration.handle().close();
    }
}
