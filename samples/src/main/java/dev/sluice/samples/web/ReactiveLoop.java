package dev.sluice.samples.web;

import dev.sluice.reactor.Reactor;
import dev.sluice.samples.server.Connections;
import java.nio.ByteBuffer;

/** What the connections of one reactor share. For its loop thread. */
final class ReactiveLoop extends WebLoop {

    private static final int BUFFER_SIZE = 16 * 1024;

    private final ReactiveSender sender;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE);

    ReactiveLoop(WebService service, Connections connections, Reactor reactor) {
        super(service, connections, reactor);
        this.sender = new ReactiveSender(service.fileIo());
    }

    /** {@return the one buffer that everything is received into} */
    ByteBuffer buffer() {
        return buffer;
    }

    ReactiveSender sender() {
        return sender;
    }
}
