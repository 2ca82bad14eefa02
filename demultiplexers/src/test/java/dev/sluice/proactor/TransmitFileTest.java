package dev.sluice.proactor;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.OperationType;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SystemCallException;
import dev.sluice.reactor.Connection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransmitFileTest extends ProactorContract {

    private static final int SIZE = 3 * 1024 * 1024 + 1;

    @TempDir
    Path directory;

    private final byte[] content = Bytes.random(SIZE);
    private FileHandle file;

    @BeforeEach
    void writeFile() throws IOException {
        Path path = directory.resolve("file");
        Files.write(path, content);
        file = own(FileHandle.open(path, StandardOpenOption.READ));
    }

    private static OtherThread<byte[]> reader(Connection connection, int count) {
        return OtherThread.start(() -> {
            ByteBuffer all = ByteBuffer.allocate(count);
            assertTrue(connection.far().receiveFully(all, LIMIT));
            return all.array();
        });
    }

    @Test
    void sendsAFileAsAWhole() throws Exception {
        for (Connection connection : List.of(unix(), tcp())) {
            OtherThread<byte[]> reader = reader(connection, SIZE);
            async(connection.near()).transmitFile(file, 0, SIZE, null, null, connection);
            CompletionRecorder.Result result = result(connection);
            assertEquals(SIZE, result.bytes());
            assertEquals(OperationType.TRANSMIT_FILE, result.type());
            assertBytes(content, reader.result());
        }
    }

    @Test
    void sendsPartsBetweenOtherBytes() throws Exception {
        Connection connection = unix();
        AsyncStream stream = async(connection.near());
        OtherThread<byte[]> reader = reader(connection, 100_010);
        stream.send(heap("<<<<<"), 1);
        stream.transmitFile(file, 12_345, 60_000, null, null, 2);
        stream.transmitFile(file, 500_000, 40_000, null, null, 3);
        stream.send(heap(">>>>>"), 4);
        runUntil(() -> recorder.over() == 4);
        assertEquals(List.of(1, 2, 3, 4), recorder.tokens());
        byte[] received = reader.result();
        assertEquals("<<<<<", new String(received, 0, 5));
        assertBytes(Arrays.copyOfRange(content, 12_345, 72_345), Arrays.copyOfRange(received, 5, 60_005));
        assertBytes(Arrays.copyOfRange(content, 500_000, 540_000), Arrays.copyOfRange(received, 60_005, 100_005));
        assertEquals(">>>>>", new String(received, 100_005, 5));
    }

    @Test
    void sendsAHeadAndATailAround() throws Exception {
        Connection connection = tcp();
        AsyncStream stream = async(connection.near());
        ByteBuffer head = heap("<<<<<");
        ByteBuffer tail = heap(">>>>>");
        OtherThread<byte[]> reader = reader(connection, 2 * 60_010);
        stream.transmitFile(file, 12_345, 60_000, head, tail, "around");
        CompletionRecorder.Result result = result("around");
        assertEquals(60_010, result.bytes());
        assertEquals(OperationType.TRANSMIT_FILE, result.type());
        CompletableFuture<Long> future = stream.transmitFileFuture(file, 12_345, 60_000, head.flip(), tail.flip());
        runUntil(future::isDone);
        assertEquals(60_010, future.get());
        byte[] received = reader.result();
        for (int at : new int[] {0, 60_010}) {
            assertEquals("<<<<<", new String(received, at, 5));
            assertBytes(Arrays.copyOfRange(content, 12_345, 72_345),
                    Arrays.copyOfRange(received, at + 5, at + 60_005));
            assertEquals(">>>>>", new String(received, at + 60_005, 5));
        }
    }

    @Test
    void aHandlerOfItsOwnGetsTheCompletion() throws Exception {
        AsyncStream stream = async(unix().near());
        Object token = new Object();
        stream.withHandler(recorder).transmitFile(file, 0, 10, ByteBuffer.allocate(1), null, token);
        assertEquals(11, result(token).bytes());
    }

    @Test
    void endsWithTheFile() throws Exception {
        Connection connection = unix();
        AsyncStream stream = async(connection.near());
        stream.transmitFile(file, SIZE - 10, 100, null, null, "end");
        stream.transmitFile(file, SIZE, 100, null, null, "behind");
        stream.transmitFile(file, 0, 0, null, null, "nothing");
        assertEquals(10, result("end").bytes());
        assertEquals(0, result("behind").bytes());
        assertEquals(0, result("nothing").bytes());
        recorder.results().forEach(result -> assertTrue(result.isSuccess()));
    }

    @Test
    void theFileMayBeClosedInTheMeantime() throws Exception {
        Connection connection = unix();
        async(connection.near()).transmitFile(file, 0, SIZE, null, null, "file");
        runUntilIdle();
        assertFalse(recorder.isOver("file"));
        file.close();
        OtherThread<byte[]> reader = reader(connection, SIZE);
        assertEquals(SIZE, result("file").bytes());
        assertBytes(content, reader.result());
    }

    @Test
    void aClosedFileIsAFailure() throws Exception {
        AsyncStream stream = async(unix().near());
        file.close();
        stream.transmitFile(file, 0, 1, null, null, "closed");
        CompletionRecorder.Result result = result("closed");
        assertTrue(result.isFailure());
        assertTrue(result.error().getMessage().startsWith("sendfile " + file + " to " + stream + ": EBADF"),
                result.error()::getMessage);
    }

    @Test
    void isCancelledByTheCloseOfTheStream() throws Exception {
        AsyncStream stream = async(unix().near());
        stream.transmitFile(file, 0, SIZE, null, null, "file");
        runUntilIdle();
        stream.close();
        assertTrue(result("file").isCancelled());
    }

    @Test
    void aPeerThatIsGoneIsAFailure() throws Exception {
        Connection connection = unix();
        async(connection.near()).transmitFile(file, 0, SIZE, null, null, "file");
        runUntilIdle();
        connection.far().close();
        CompletionRecorder.Result result = result("file");
        assertTrue(result.isFailure());
        String error = ((SystemCallException) result.error()).errorName();
        // The second is what TCP says.
        assertTrue(error.equals("EPIPE") || error.equals("ECONNRESET"), result.error()::getMessage);
    }

    @Test
    void negativeNumbersAreRefused() throws Exception {
        AsyncStream stream = async(unix().near());
        assertThrows(IllegalArgumentException.class, () -> stream.transmitFile(file, -1, 1, null, null, null));
        assertThrows(IllegalArgumentException.class, () -> stream.transmitFile(file, 0, -1, null, null, null));
        assertThrows(NullPointerException.class, () -> stream.transmitFile(null, 0, 1, null, null, null));
    }
}
