package dev.sluice.samples.echo;

import dev.sluice.connection.ServiceHandler;
import java.nio.ByteBuffer;

/** Echoes one connection. Its output queue stops the receiving from a peer that does not read. */
final class EchoHandler extends ServiceHandler {

    @Override
    protected void received(ByteBuffer bytes) {
        output().send(bytes);
    }
}
