package dev.sluice.samples.concurrency;

import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/** Waits in the kernel. For platform threads. */
final class KernelTransfer implements BlockingTransfer {

    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    private final SocketStream stream;

    KernelTransfer(SocketStream stream) {
        this.stream = stream;
    }

    @Override
    public int receive(ByteBuffer destination) throws IOException {
        int count = stream.receive(destination);
        if (count != 0) {
            return count;
        }
        // The first byte is waited for; what has come with it is there by then.
        int limit = destination.limit();
        destination.limit(destination.position() + 1);
        boolean some = stream.receiveFully(destination, FOREVER);
        destination.limit(limit);
        return some ? 1 + Math.max(stream.receive(destination), 0) : SocketStream.END_OF_STREAM;
    }

    @Override
    public void send(ByteBuffer source) throws IOException {
        stream.sendFully(source, FOREVER);
    }

    @Override
    public void close() {
        stream.close();
    }
}
