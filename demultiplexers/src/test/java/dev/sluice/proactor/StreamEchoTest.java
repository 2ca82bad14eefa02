package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.eventloop.OtherThread;
import dev.sluice.eventloop.RunsOn;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FileHandle;
import dev.sluice.testing.Depth;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is received comes back, on each demultiplexer, whatever its size is. */
@Tag(Depth.IN_QUICK)
@RunsOn(each = true)
class StreamEchoTest extends ProactorContract {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private Socket connect(StreamHandler handler) throws Exception {
        AsyncAcceptor acceptor = AsyncAcceptor.listen(proactor, ANY_PORT, () -> handler);
        Socket socket = new Socket();
        own(socket::close);
        socket.connect(acceptor.localAddress(), (int) LIMIT.toMillis());
        socket.setSoTimeout((int) LIMIT.toMillis());
        return socket;
    }

    private void assertEchoes(int size) throws Exception {
        assertEchoes(AsyncStream::send, size);
    }

    private void assertEchoes(StreamHandler echo, int size) throws Exception {
        byte[] bytes = Bytes.random(size);
        Socket peer = connect(echo);
        OtherThread<Void> writer = OtherThread.start(() -> {
            peer.getOutputStream().write(bytes);
            peer.shutdownOutput();
            return null;
        });
        AtomicBoolean done = new AtomicBoolean();
        OtherThread<byte[]> reader = OtherThread.start(() -> {
            try {
                return peer.getInputStream().readAllBytes();
            } finally {
                done.set(true);
                proactor.wakeUp();
            }
        });
        runUntil(done::get);
        writer.result();
        Bytes.assertBytes(bytes, reader.result());
    }

    @Test
    void smallOnes() throws Exception {
        for (int size : new int[] {0, 1, 2, 100, 16 * 1024 - 1, 16 * 1024, 16 * 1024 + 1, 200_000}) {
            assertEchoes(size);
        }
    }

    @Test
    void largeOne() throws Exception {
        assertEchoes(8 << 20);
    }

    @Test
    @Tag(Depth.IN_MATRIX)
    void veryLargeOne() throws Exception {
        assertEchoes(64 << 20);
    }

    @Test
    void copies() throws Exception {
        assertEchoes((stream, buffer) -> stream.send(buffer.bytes()), 2 << 20);
    }

    @Test
    void retainedOnes() throws Exception {
        assertEchoes((stream, buffer) -> stream.send(buffer.retain()), 2 << 20);
    }

    @Test
    void oneByteAtATime() throws Exception {
        Socket peer = connect(AsyncStream::send);
        peer.setTcpNoDelay(true);
        AtomicBoolean done = new AtomicBoolean();
        OtherThread<byte[]> client = OtherThread.start(() -> {
            try {
                for (int i = 0; i < 500; i++) {
                    peer.getOutputStream().write(i);
                }
                return peer.getInputStream().readNBytes(500);
            } finally {
                done.set(true);
                proactor.wakeUp();
            }
        });
        runUntil(done::get);
        byte[] expected = new byte[500];
        IntStream.range(0, 500).forEach(i -> expected[i] = (byte) i);
        Bytes.assertBytes(expected, client.result());
    }

    @Test
    void filesBetweenBuffers(@TempDir Path folder) throws Exception {
        byte[] content = Bytes.random(300_000);
        Path path = Files.write(folder.resolve("file"), content);
        NotingHandler handler = new NotingHandler().on("opened", stream -> {
            FileHandle file = FileHandle.open(path);
            stream.send(ByteBuffer.wrap(Bytes.of("head")));
            stream.output().send(file, 1000, 200_000, file::close);
            stream.send(ByteBuffer.wrap(Bytes.of("tail")));
            stream.closeWhenSent();
        });
        Socket peer = connect(handler);
        OtherThread<byte[]> reader = OtherThread.start(() -> {
            byte[] all = peer.getInputStream().readAllBytes();
            peer.close();
            return all;
        });
        runUntil(handler::isClosed);
        ByteBuffer expected = ByteBuffer.allocate(200_008).put(Bytes.of("head")).put(content, 1000, 200_000)
                .put(Bytes.of("tail"));
        Bytes.assertBytes(expected.array(), reader.result());
    }

    @Test
    void fileThatIsTooShortEndsTheConnection(@TempDir Path folder) throws Exception {
        Path path = Files.write(folder.resolve("file"), Bytes.random(1000));
        NotingHandler handler = new NotingHandler().on("opened", stream -> {
            FileHandle file = FileHandle.open(path);
            stream.output().send(file, 0, 2000, file::close);
        });
        connect(handler);
        runUntil(handler::isClosed);
        assertEquals("EOFException", handler.failure.getClass().getSimpleName());
    }
}
