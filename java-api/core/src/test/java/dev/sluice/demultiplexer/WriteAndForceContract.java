package dev.sluice.demultiplexer;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.handle.BufferKind;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FileAlignment;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.FileOption;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Writing to a file and forcing it as one operation. */
@Tag(Depth.TRANSFER)
abstract class WriteAndForceContract extends OperationContract {

    private static final int SIZE = 1_000;
    private static final int MANY = 100;
    private static final OperationType CHAIN = OperationType.WRITE_AND_FORCE_DATA;

    private final byte[] content = Bytes.random(SIZE);
    private Path path;
    private FileHandle file;
    private Association where;

    WriteAndForceContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @BeforeEach
    final void openFile() throws IOException {
        path = Files.write(directory.resolve("file"), content);
        file = own(FileHandle.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE));
        where = associate(file.handle());
    }

    @ParameterizedTest
    @EnumSource
    void writesAnyKindOfBuffer(BufferKind kind) throws IOException {
        ByteBuffer buffer = kind.of(Bytes.random(50));
        int limit = buffer.limit();
        Flight write = start(o -> o.writeAndForceData(where, buffer, 200));
        assertResult(50, write);
        assertEquals(CHAIN, write.operation().type());
        assertEquals(limit, buffer.position());
        System.arraycopy(Bytes.random(50), 0, content, 200, 50);
        assertBytes(content, Files.readAllBytes(path));
    }

    @Test
    void writesSeveralBuffersBehindTheEnd() throws IOException {
        ByteBuffer[] buffers = {ByteBuffer.wrap(new byte[] {1}), ByteBuffer.wrap(new byte[] {2, 3}),
            ByteBuffer.allocateDirect(1).put(0, (byte) 4)};
        assertResult(3, start(o -> o.transfer(CHAIN, where, buffers, 1, 2, SIZE + 1, true)));
        byte[] expected = Arrays.copyOf(content, SIZE + 4);
        System.arraycopy(new byte[] {0, 2, 3, 4}, 0, expected, SIZE, 4);
        assertBytes(expected, Files.readAllBytes(path));
        assertEquals(1, buffers[0].remaining());
    }

    /** Bytes of the heap are copied a part at a time, and vectors have a limit: the force follows the last part. */
    @Test
    void writesAllHoweverMuch() throws IOException {
        byte[] much = Bytes.random(300_000);
        assertResult(much.length, start(o -> o.writeAndForceData(where, ByteBuffer.wrap(much), 0)));
        assertBytes(much, Files.readAllBytes(path));
        ByteBuffer[] buffers = new ByteBuffer[1_500];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = ByteBuffer.wrap(much, i * 200, 200);
        }
        assertResult(much.length, start(o -> o.transfer(CHAIN, where, buffers, 0, buffers.length, 10, true)));
        assertBytes(much, Arrays.copyOfRange(Files.readAllBytes(path), 10, 10 + much.length));
    }

    @Test
    void withoutBytesForces() throws IOException {
        assertResult(0, start(o -> o.writeAndForceData(where, ByteBuffer.allocate(0), 0)));
        assertResult(0, start(o -> o.transfer(CHAIN, where, new ByteBuffer[0], 0, 0, 0, true)));
        assertBytes(content, Files.readAllBytes(path));
    }

    @Test
    void appends() throws IOException {
        FileHandle appending = own(FileHandle.open(path, StandardOpenOption.APPEND));
        Association end = associate(appending.handle());
        assertResult(2, start(o -> o.writeAndForceData(end, ByteBuffer.wrap(new byte[] {1, 2}), 0)));
        assertResult(1, start(o -> o.writeAndForceData(end, ByteBuffer.wrap(new byte[] {3}), 0)));
        byte[] expected = Arrays.copyOf(content, SIZE + 3);
        System.arraycopy(new byte[] {1, 2, 3}, 0, expected, SIZE, 3);
        assertBytes(expected, Files.readAllBytes(path));
    }

    /** Some of them are ordinary writes. */
    @Test
    void appendsAreExecutedInTheOrderOfTheirStart() throws IOException {
        Association end = associate(own(FileHandle.open(path, StandardOpenOption.APPEND)).handle());
        List<Flight> writes = new ArrayList<>();
        byte[] expected = Arrays.copyOf(content, SIZE + MANY);
        for (int i = 0; i < MANY; i++) {
            expected[SIZE + i] = (byte) i;
            ByteBuffer source = ByteBuffer.wrap(expected, SIZE + i, 1);
            boolean forces = i % 3 > 0;
            writes.add(start(o -> o.transfer(forces ? CHAIN : OperationType.WRITE, end, source, 0, true)));
        }
        collectAll(writes);
        assertBytes(expected, Files.readAllBytes(path));
    }

    @Test
    void directFileHasToBeAligned() throws IOException {
        Flight open = start(o -> o.open(directory.resolve("direct"), StandardOpenOption.WRITE,
                StandardOpenOption.CREATE, FileOption.DIRECT));
        assertResult(0, open);
        FileAlignment alignment = open.file().directAlignment();
        int unit = Math.max(alignment.write(), alignment.memory());
        Association direct = associate(open.file().handle());
        ByteBuffer aligned = alignment.allocate(unit);
        assertResult(unit, start(o -> o.writeAndForceData(direct, aligned, 0)));
        assertThrows(IllegalArgumentException.class, () -> start(o -> o.writeAndForceData(direct, aligned.clear(), 1)));
    }

    @Test
    void failedWriteIsNamedAndNothingForced() throws IOException {
        Association readOnly = associate(own(FileHandle.open(path)).handle());
        ByteBuffer source = ByteBuffer.allocateDirect(1);
        assertNamed("pwrite", Errno.EBADF, readOnly, start(o -> o.writeAndForceData(readOnly, source, 0)));
        assertEquals(1, source.remaining());
        // The operation can be started again.
        assertResult(1, start(o -> o.writeAndForceData(where, source, 0)));
    }

    /** It takes each write, and has no disk behind it. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void failedForceIsNamedAfterTheWrite() throws IOException {
        Association nothing = associate(own(FileHandle.open(Path.of("/dev/null"), StandardOpenOption.WRITE)).handle());
        ByteBuffer source = ByteBuffer.allocateDirect(10);
        Flight failing = start(o -> o.writeAndForceData(nothing, source, 0));
        assertNamed("fdatasync", Errno.EINVAL, nothing, failing);
        assertTrue(failing.operation().error(failing.result()).getMessage()
                .endsWith("; 10 bytes were written before, and may not be durable"));
        assertFalse(source.hasRemaining());
        // Its next start is another operation.
        Association readOnly = associate(own(FileHandle.open(path)).handle());
        failing.start(o -> o.writeAndForceData(readOnly, source.clear(), 0));
        assertNamed("pwrite", Errno.EBADF, readOnly, failing);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void fullDeviceIsNamed() throws IOException {
        Association full = associate(own(FileHandle.open(Path.of("/dev/full"), StandardOpenOption.WRITE)).handle());
        assertNamed("pwrite", Errno.ENOSPC, full,
                start(o -> o.writeAndForceData(full, ByteBuffer.allocateDirect(10), 0)));
    }

    @Test
    void cancelledOnesComplete() throws IOException {
        List<Flight> writes = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            Flight write = start(o -> o.writeAndForceData(where, ByteBuffer.allocateDirect(10), 0));
            if (i % 10 == 0) {
                collect(0);
            }
            write.operation().cancel();
            writes.add(write);
        }
        for (Flight write : writes) {
            assertTrue(isCancelled(write) || write.result() == 10);
        }
    }

    @Test
    void endWithTheirFile() throws IOException {
        List<Flight> writes = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            int position = i;
            writes.add(start(o -> o.writeAndForceData(where, ByteBuffer.allocateDirect(10), position)));
        }
        collect(0);
        file.close();
        for (Flight write : writes) {
            assertTrue(isCancelled(write) || write.result() == 10);
        }
        assertCancelled(start(o -> o.writeAndForceData(where, ByteBuffer.allocateDirect(10), 0)));
    }

    /** More than a small queue has space for. */
    @Test
    void manyAtOnce() throws IOException {
        List<Flight> writes = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            int position = i;
            ByteBuffer buffer = i % 2 == 0 ? ByteBuffer.allocate(1) : ByteBuffer.allocateDirect(1);
            writes.add(start(o -> o.writeAndForceData(where, buffer.put(0, (byte) position), position)));
        }
        collectAll(writes);
        byte[] written = Files.readAllBytes(path);
        for (int i = 0; i < MANY; i++) {
            assertEquals(1, writes.get(i).result());
            assertEquals((byte) i, written[i]);
        }
    }

    private void assertNamed(String call, Errno error, Association subject, Flight failing) throws IOException {
        assertFails(error, failing);
        String message = failing.operation().error(failing.result()).getMessage();
        assertTrue(message.startsWith(call + " ") && message.contains(error.name())
                && message.contains(subject.toString()), message);
    }
}
