package dev.sluice.samples.conversation;

import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
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
        return receive(stream, destination, FOREVER);
    }

    /**
     * Receives what comes, at least one octet.
     *
     * @param stream      where from
     * @param destination with room for one or more
     * @param longest     to wait
     * @return false if the stream has ended instead
     * @throws SocketTimeoutException if nothing comes
     * @throws IOException            if that fails
     */
    public static boolean receive(SocketStream stream, ByteBuffer destination, Duration longest) throws IOException {
        int limit = destination.limit();
        destination.limit(destination.position() + 1);
        try {
            if (!stream.receiveFully(destination, longest)) {
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
        send(stream, source, FOREVER);
    }

    /**
     * Sends all of it.
     *
     * @param stream  where to
     * @param source  the octets
     * @param longest to wait
     * @throws SocketTimeoutException if it lasts longer; what has been sent is taken from the source
     * @throws IOException            if that fails
     */
    public static void send(SocketStream stream, ByteBuffer source, Duration longest) throws IOException {
        stream.sendFully(source, longest);
    }
}
