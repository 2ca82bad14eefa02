package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.ForeignMemory;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.FileHandle;
import dev.sluice.testing.Depth;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a connection does at its end with what is in flight, held or not begun. */
@Tag(Depth.IN_QUICK)
class StreamEndTest extends StreamContract {

    private static final int MEGABYTE = 1 << 20;

    private void openWithASendInFlight() throws Exception {
        handler.on("opened", stream -> stream.send(ByteBuffer.allocate(32 * MEGABYTE)));
        connect();
        runUntil(() -> handler.hasCalled("opened"));
        runUntilIdle();
        assertTrue(handler.stream.sentBytes() < 32 * MEGABYTE);
    }

    private void assertClosedWithoutFailure() throws Exception {
        runUntilClosed();
        assertNull(handler.failure);
        assertEquals(List.of("opened", "closed"), handler.hooks());
        assertEquals(Optional.empty(), handler.stream.output().endCause());
    }

    @Test
    void ownCloseIsNoFailureOfASendInFlight() throws Exception {
        openWithASendInFlight();
        handler.stream.loop().execute(handler.stream::close);
        assertClosedWithoutFailure();
    }

    @Test
    void closeByAnotherThreadIsNoFailureOfASendInFlight() throws Exception {
        openWithASendInFlight();
        OtherThread.run(handler.stream::close);
        assertClosedWithoutFailure();
    }

    @Test
    void heldInputIsDiscardedWhenTheConnectionIsToEnd() throws Exception {
        byte[] much = new byte[8 * MEGABYTE];
        Socket peer = connect();
        runUntil(() -> handler.hasCalled("opened"));
        handler.stream.loop().execute(handler.stream::pauseInput);
        runUntilIdle();
        peer.getOutputStream().write(1);
        runUntil(() -> handler.stream.receivedBytes() == 1);
        handler.stream.loop().execute(() -> {
            // So that the output does not pause the input itself.
            handler.stream.output().watermarks(much.length, much.length);
            handler.stream.send(ByteBuffer.wrap(much));
            handler.stream.closeWhenSent();
            handler.stream.resumeInput();
        });
        runUntilIdle();
        OtherThread<byte[]> reader = read(peer);
        runUntil(() -> handler.stream.sentBytes() == much.length);
        runUntilIdle();
        assertEquals(much.length, reader.result().length);
        peer.close();
        runUntilClosed();
        assertEquals(0, handler.count());
        assertEquals(List.of("opened", "closed"), handler.hooks());
    }

    @Test
    void connectionWhoseFirstSendFailsIsNotOpened() throws Exception {
        ForeignMemory.assumeThere();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            AsyncStream stream = AsyncStream.connect(proactor, server.getLocalSocketAddress(), LIMIT, handler);
            int[] returned = new int[1];
            try (AutoCloseable arena = ForeignMemory.arena("ofShared")) {
                stream.output().send(ForeignMemory.view(ByteBuffer.allocateDirect(1), arena), () -> returned[0]++);
            }
            runUntilClosed();
            assertEquals(List.of("failed", "closed"), handler.hooks());
            assertInstanceOf(IllegalStateException.class, handler.failure);
            assertEquals(1, returned[0]);
        }
    }

    @Test
    void fileIsSentInPartsThatCountAsSent(@TempDir Path folder) throws Exception {
        long size = 64 * MEGABYTE;
        Path path = folder.resolve("sparse");
        try (RandomAccessFile sparse = new RandomAccessFile(path.toFile(), "rw")) {
            sparse.setLength(size);
        }
        try (FileHandle file = FileHandle.open(path)) {
            handler.on("opened", stream -> stream.output().send(file, 0, size, () -> { }));
            Socket peer = connect();
            OtherThread<byte[]> reader = OtherThread.start(() -> peer.getInputStream().readNBytes(8 * MEGABYTE));
            runUntil(() -> handler.stream != null && handler.stream.sentBytes() > 0);
            assertTrue(handler.stream.sentBytes() < size);
            runUntil(() -> handler.stream.sentBytes() > 8 * MEGABYTE);
            assertEquals(8 * MEGABYTE, reader.result().length);
            proactor.close();
        }
    }
}
