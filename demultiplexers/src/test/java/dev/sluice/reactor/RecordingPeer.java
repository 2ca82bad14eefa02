package dev.sluice.reactor;

import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A plain peer: what it has sent and received, and which end or error it may see. */
public final class RecordingPeer {

    private static final int PIECE = 64 * 1024;

    private final int number;
    private final SocketStream stream;
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private volatile boolean nearClosed;
    private volatile boolean nearShutDown;
    private volatile boolean ended;
    private volatile boolean closed;
    private boolean endSeen;

    public RecordingPeer(int number, SocketStream stream) {
        this.number = number;
        this.stream = stream;
    }

    /** Must be called before the near end is closed. */
    public void nearCloses() {
        nearClosed = true;
    }

    /** Must be called before the near end shuts down its output. */
    public void nearShutsDown() {
        nearShutDown = true;
    }

    public boolean isNearClosed() {
        return nearClosed;
    }

    public boolean isNearShutDown() {
        return nearShutDown;
    }

    /** {@return whether it sends no more} */
    public boolean isEnded() {
        return ended;
    }

    public boolean isClosed() {
        return closed;
    }

    /** {@return whether nothing has happened yet that may cost bytes} */
    public boolean isWhole() {
        return !nearClosed && !closed;
    }

    public byte[] sent() {
        return sent.toByteArray();
    }

    public int sentCount() {
        return sent.size();
    }

    public byte[] received() {
        return received.toByteArray();
    }

    public int receivedCount() {
        return received.size();
    }

    public void send(int count) throws IOException {
        if (ended) {
            return;
        }
        ByteBuffer source = bytes(number, sent.size(), count);
        try {
            stream.send(source);
        } catch (IOException e) {
            require(nearClosed, "the peer cannot send: " + e);
        }
        sent.write(source.array(), 0, source.position());
    }

    public void receive(int count) throws IOException {
        if (closed || endSeen) {
            return;
        }
        ByteBuffer destination = ByteBuffer.allocate(Math.min(count, PIECE));
        try {
            endSeen = stream.receive(destination) < 0;
            require(!endSeen || nearClosed || nearShutDown, "the peer sees an unexpected end of the stream");
        } catch (IOException e) {
            require(nearClosed, "the peer cannot receive: " + e);
            endSeen = true;
        }
        received.write(destination.array(), 0, destination.position());
    }

    public void shutdown() throws IOException {
        if (!ended) {
            ended = true;
            try {
                stream.shutdownOutput();
            } catch (IOException e) {
                require(nearClosed, "the peer cannot shut down: " + e);
            }
        }
    }

    public void close(boolean reset) throws IOException {
        if (!closed) {
            ended = true;
            closed = true;
            if (reset) {
                stream.setOption(NativeSocketOptions.SO_LINGER, 0);
            }
            stream.close();
        }
    }

    /** {@return the octets of a stream from one place on, of which each tells where it belongs} */
    public static ByteBuffer bytes(int stream, int from, int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = pattern(stream, from + i);
        }
        return ByteBuffer.wrap(bytes);
    }

    public static byte pattern(int salt, int index) {
        return (byte) (index ^ index >>> 8 ^ index >>> 16 ^ 37 * salt);
    }

    public void requirePrefix(byte[] whole, byte[] part, String what) {
        int at = Arrays.mismatch(whole, part);
        require(at < 0 || at == part.length, what + " bytes differ at " + at + ", of " + whole.length + " and "
                + part.length);
    }

    public void require(boolean rule, String message) {
        if (!rule) {
            throw new AssertionError(this + ": " + message);
        }
    }

    @Override
    public String toString() {
        return "line " + number;
    }
}
