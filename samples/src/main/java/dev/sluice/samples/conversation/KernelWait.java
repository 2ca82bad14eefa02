package dev.sluice.samples.conversation;

import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** How a thread that has nothing else to do receives and sends: every call waits until it is done. */
public final class KernelWait {

    private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    private KernelWait() {
    }

    /**
     * Receives what comes, at least one octet.
     *
     * @param stream      where from
     * @param destination with room for one or more
     * @return false if the stream has ended instead
     * @throws IOException if that fails
     */
    public static boolean receive(SocketStream stream, ByteBuffer destination) throws IOException {
        int limit = destination.limit();
        destination.limit(destination.position() + 1);
        try {
            if (!stream.receiveFully(destination, FOREVER)) {
                return false;
            }
        } finally {
            destination.limit(limit);
        }
        // What has come with the first one is there by then.
        if (destination.hasRemaining()) {
            stream.receive(destination);
        }
        return true;
    }

    /**
     * Sends all of it.
     *
     * @param stream where to
     * @param source the octets
     * @throws IOException if that fails
     */
    public static void send(SocketStream stream, ByteBuffer source) throws IOException {
        stream.sendFully(source, FOREVER);
    }
}
