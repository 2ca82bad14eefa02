package dev.sluice.recipes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Background;
import dev.sluice.samples.RandomBytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/** What each echo server is put through. */
public final class EchoExchange {

    private static final byte[] MUCH = RandomBytes.of(4, 24 << 20);
    private static final int TIMEOUT_MILLIS = 60_000;
    /** Connections served meanwhile, during which a server that still received would take more. */
    private static final int CALM_EXCHANGES = 20;

    private final InetSocketAddress address;

    public EchoExchange(InetSocketAddress address) {
        this.address = address;
    }

    /** Peers of all kinds, one of which never reads until the others have been served. */
    public void all() throws Exception {
        small();
        try (SocketChannel neverReads = SocketChannel.open(address)) {
            int taken = sendUntilFull(neverReads);
            byteByByte();
            reset();
            much();
            neverReads.shutdownOutput();
            neverReads.configureBlocking(true);
            InputStream in = neverReads.socket().getInputStream();
            assertArrayEquals(Arrays.copyOf(MUCH, taken), in.readNBytes(taken));
            assertEquals(-1, in.read());
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.connect(address, TIMEOUT_MILLIS);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return socket;
    }

    private void small() throws IOException {
        try (Socket socket = connect()) {
            for (int i = 0; i < 3; i++) {
                socket.getOutputStream().write("hello".getBytes());
                assertEquals("hello", new String(socket.getInputStream().readNBytes(5)));
            }
            socket.shutdownOutput();
            assertEquals(-1, socket.getInputStream().read());
        }
    }

    private void byteByByte() throws IOException {
        try (Socket socket = connect()) {
            socket.setTcpNoDelay(true);
            OutputStream out = socket.getOutputStream();
            for (int i = 0; i < 300; i++) {
                out.write(i);
            }
            byte[] bytes = socket.getInputStream().readNBytes(300);
            assertEquals(300, bytes.length);
            assertEquals((byte) 299, bytes[299]);
        }
    }

    private void reset() throws IOException {
        try (Socket socket = connect()) {
            socket.setSoLinger(true, 0);
            socket.getOutputStream().write(MUCH, 0, 100_000);
        }
    }

    private void much() throws Exception {
        try (Socket socket = connect()) {
            Background<byte[]> reader = Background.run(() -> socket.getInputStream().readNBytes(MUCH.length));
            socket.getOutputStream().write(MUCH);
            assertArrayEquals(MUCH, reader.result());
        }
    }

    /** {@return the number of bytes that the server takes from a peer that does not read, while it serves others} */
    private int sendUntilFull(SocketChannel channel) throws Exception {
        channel.configureBlocking(false);
        ByteBuffer bytes = ByteBuffer.wrap(MUCH);
        for (int calm = 0; calm < CALM_EXCHANGES; calm++) {
            while (channel.write(bytes) > 0) {
                calm = 0;
            }
            small();
        }
        assertTrue(bytes.hasRemaining(), "the server takes everything in");
        return bytes.position();
    }
}
