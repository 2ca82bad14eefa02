package dev.sluice.samples.conversation;

import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** Receives and sends by blocking calls, for a thread of one connection. */
public final class KernelWait {

    private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    private KernelWait() {
    }

    /**
     * Receives at least one octet.
     *
     * @param stream      the stream to receive from
     * @param destination the buffer, with space for at least one octet
     * @return false if the stream has ended instead
     * @throws IOException if that fails
     */
    public static boolean receive(SocketStream stream, ByteBuffer destination) throws IOException {
        return receive(stream, destination, FOREVER);
    }

    /**
     * Receives at least one octet.
     *
     * @param stream      the stream to receive from
     * @param destination the buffer, with space for at least one octet
     * @param longest the maximum time to wait
     * @return false if the stream has ended instead
     * @throws SocketTimeoutException if nothing is received in this time
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
        // Octets that arrived with the first one are available now.
        if (destination.hasRemaining()) {
            stream.receive(destination);
        }
        return true;
    }

    /**
     * Sends all of it.
     *
     * @param stream the stream to send to
     * @param source the octets
     * @throws IOException if that fails
     */
    public static void send(SocketStream stream, ByteBuffer source) throws IOException {
        send(stream, source, FOREVER);
    }

    /**
     * Sends all of it.
     *
     * @param stream  the stream to send to
     * @param source  the octets
     * @param longest the maximum time to wait
     * @throws SocketTimeoutException if the time elapses; the source's position is behind the octets sent
     * @throws IOException            if that fails
     */
    public static void send(SocketStream stream, ByteBuffer source, Duration longest) throws IOException {
        stream.sendFully(source, longest);
    }
}
