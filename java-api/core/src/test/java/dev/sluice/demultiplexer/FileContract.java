package dev.sluice.demultiplexer;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.handle.BufferKind;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Pipe;
import dev.sluice.testing.Depth;
import java.io.ByteArrayOutputStream;
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

/** Reading and writing files at positions. */
@Tag(Depth.TRANSFER)
abstract class FileContract extends OperationContract {

    private static final int SIZE = 1_000;
    private static final int FORCES = 100;
    private static final int APPENDS = 100;

    private final byte[] content = Bytes.random(SIZE);
    private Path path;
    private FileHandle file;
    private Association where;

    FileContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @BeforeEach
    final void openFile() throws IOException {
        path = Files.write(directory.resolve("file"), content);
        file = own(FileHandle.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE));
        where = associate(file.handle());
    }

    @ParameterizedTest
    @EnumSource(names = "READ_ONLY.*", mode = EnumSource.Mode.MATCH_NONE)
    void readsIntoAnyKindOfBuffer(BufferKind kind) throws IOException {
        ByteBuffer buffer = kind.empty(100);
        assertResult(100, start(o -> o.read(where, buffer, 300)));
        assertBytes(Arrays.copyOfRange(content, 300, 400), kind.received(buffer));
        ByteBuffer tail = kind.empty(100);
        assertResult(1, start(o -> o.read(where, tail, SIZE - 1)));
        assertBytes(new byte[] {content[SIZE - 1]}, kind.received(tail));
    }

    @ParameterizedTest
    @EnumSource(names = "READ_ONLY.*", mode = EnumSource.Mode.MATCH_NONE)
    void readsIntoSeveralBuffers(BufferKind kind) throws IOException {
        ByteBuffer[] buffers = {kind.empty(5), kind.empty(10), ByteBuffer.allocate(0), kind.empty(20), kind.empty(5)};
        assertResult(30, start(o -> o.read(where, buffers, 1, 3, 100)));
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        read.writeBytes(kind.received(buffers[1]));
        read.writeBytes(kind.received(buffers[3]));
        assertBytes(Arrays.copyOfRange(content, 100, 130), read.toByteArray());
        assertEquals(0, kind.received(buffers[0]).length + kind.received(buffers[4]).length);
    }

    /** Some mechanisms map it to the system's priority, which has few levels. */
    @Test
    void readsAndWritesWithEachPriority() throws IOException {
        for (int priority : new int[] {Integer.MIN_VALUE, -5, -4, -3, -1, 0, 1, 4, 5, Integer.MAX_VALUE}) {
            where.prioritize(priority);
            assertResult(1, start(o -> o.write(where, ByteBuffer.wrap(new byte[] {(byte) priority}), 7)));
            ByteBuffer buffer = ByteBuffer.allocate(1);
            assertResult(1, start(o -> o.read(where, buffer, 7)));
            assertEquals((byte) priority, buffer.get(0));
        }
    }

    @Test
    void readBeyondTheEndReturnsEndOfFile() throws IOException {
        assertResult(0, start(o -> o.read(where, ByteBuffer.allocate(10), SIZE)));
        assertResult(0, start(o -> o.read(where, ByteBuffer.allocateDirect(10), 1L << 40)));
        ByteBuffer[] several = {ByteBuffer.allocateDirect(1), ByteBuffer.allocate(1)};
        assertResult(0, start(o -> o.read(where, several, 0, 2, SIZE)));
        for (long position : new long[] {Long.MAX_VALUE - 1, Long.MAX_VALUE}) {
            assertResult(0, start(o -> o.read(where, ByteBuffer.allocate(10), position)));
            assertResult(0, start(o -> o.read(where, several, 0, 2, position)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void writesAnyKindOfBuffer(BufferKind kind) throws IOException {
        ByteBuffer buffer = kind.of(Bytes.random(50));
        int limit = buffer.limit();
        assertResult(50, start(o -> o.write(where, buffer, 200)));
        assertEquals(limit, buffer.position());
        System.arraycopy(Bytes.random(50), 0, content, 200, 50);
        assertBytes(content, Files.readAllBytes(path));
    }

    @ParameterizedTest
    @EnumSource
    void writesSeveralBuffersBehindTheEnd(BufferKind kind) throws IOException {
        ByteBuffer[] buffers = {kind.of((byte) 1), kind.of((byte) 2, (byte) 3), ByteBuffer.allocate(0),
            kind.of((byte) 4)};
        assertResult(3, start(o -> o.write(where, buffers, 1, 3, SIZE + 1)));
        byte[] expected = Arrays.copyOf(content, SIZE + 4);
        System.arraycopy(new byte[] {0, 2, 3, 4}, 0, expected, SIZE, 4);
        assertBytes(expected, Files.readAllBytes(path));
        assertEquals(1, buffers[0].remaining());
    }

    @Test
    void writesAllHoweverMuch() throws IOException {
        byte[] much = Bytes.random(3_000_000);
        assertResult(much.length, start(o -> o.write(where, ByteBuffer.wrap(much), 0)));
        assertBytes(much, Files.readAllBytes(path));
        ByteBuffer[] buffers = new ByteBuffer[1_500];
        for (int i = 0; i < buffers.length; i++) {
            ByteBuffer part = ByteBuffer.wrap(much, i * 2_000, 2_000);
            buffers[i] = i % 3 == 0 ? part : ByteBuffer.allocateDirect(2_000).put(part).flip();
        }
        assertResult(much.length, start(o -> o.write(where, buffers, 0, buffers.length, 10)));
        assertBytes(much, Arrays.copyOfRange(Files.readAllBytes(path), 10, 10 + much.length));
    }

    @Test
    void nothingIsWrittenAtOnce() throws IOException {
        assertResult(0, start(o -> o.write(where, ByteBuffer.allocate(0), 0)));
        assertResult(0, start(o -> o.write(where, new ByteBuffer[0], 0, 0, 0)));
        assertBytes(content, Files.readAllBytes(path));
    }

    @Test
    void appends() throws IOException {
        FileHandle appending = own(FileHandle.open(path, StandardOpenOption.APPEND));
        Association end = associate(appending.handle());
        assertResult(2, start(o -> o.write(end, ByteBuffer.wrap(new byte[] {1, 2}), 0)));
        byte[] expected = Arrays.copyOf(content, SIZE + 2);
        expected[SIZE] = 1;
        expected[SIZE + 1] = 2;
        assertBytes(expected, Files.readAllBytes(path));
    }

    private static byte[] numbered(int number, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) number);
        return bytes;
    }

    /** Some of them take several attempts, between which others must not come. */
    @Test
    void appendsAreExecutedInTheOrderOfTheirStart() throws IOException {
        Association end = associate(own(FileHandle.open(path, StandardOpenOption.APPEND)).handle());
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        expected.writeBytes(content);
        List<Flight> appends = new ArrayList<>();
        for (int i = 0; i < APPENDS; i++) {
            byte[] bytes = numbered(i, i % 10 == 0 ? 150_000 : 1 + i);
            expected.writeBytes(bytes);
            ByteBuffer[] parts = {ByteBuffer.wrap(bytes, 0, bytes.length / 2),
                ByteBuffer.allocateDirect(bytes.length - bytes.length / 2)
                        .put(bytes, 0, bytes.length - bytes.length / 2).flip()};
            appends.add(start(o -> {
                if (bytes.length % 3 == 0) {
                    o.write(end, parts, 0, 2, 0);
                } else {
                    o.write(end, ByteBuffer.wrap(bytes), 0);
                }
            }));
            if (i % 7 == 0) {
                collect(0);
            }
        }
        collectAll(appends);
        assertBytes(expected.toByteArray(), Files.readAllBytes(path));
    }

    @Test
    void cancelledAppendsHoldBackNoOthers() throws IOException {
        Files.write(path, new byte[0]);
        Association end = associate(own(FileHandle.open(path, StandardOpenOption.APPEND)).handle());
        List<Flight> appends = new ArrayList<>();
        for (int i = 0; i < APPENDS; i++) {
            ByteBuffer one = ByteBuffer.wrap(numbered(i, 1));
            appends.add(start(o -> o.write(end, one, 0)));
        }
        collect(0);
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        for (int i = 0; i < APPENDS; i++) {
            if (i % 2 == 0) {
                appends.get(i).operation().cancel();
            }
        }
        for (int i = 0; i < APPENDS; i++) {
            if (!isCancelled(appends.get(i))) {
                expected.write(i);
            }
        }
        assertBytes(expected.toByteArray(), Files.readAllBytes(path));
        assertResult(1, start(o -> o.write(end, ByteBuffer.allocate(1), 0)));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void anAppendThatFailsHoldsBackNoOthers() throws IOException {
        Association full = associate(own(FileHandle.open(Path.of("/dev/full"), StandardOpenOption.APPEND)).handle());
        Flight first = start(o -> o.write(full, ByteBuffer.allocate(10), 0));
        Flight second = start(o -> o.write(full, ByteBuffer.allocate(10), 0));
        assertFails(Errno.ENOSPC, first);
        assertFails(Errno.ENOSPC, second);
    }

    @Test
    void readsAndWritesEndWithTheirFile() throws IOException {
        List<Flight> transfers = new ArrayList<>();
        for (int i = 0; i < FORCES; i++) {
            int position = i;
            transfers.add(start(o -> o.read(where, ByteBuffer.allocateDirect(10), position)));
            transfers.add(start(o -> o.write(where, ByteBuffer.wrap(content, position, 10), position)));
        }
        collect(0);
        file.close();
        for (Flight transfer : transfers) {
            assertTrue(isCancelled(transfer) || transfer.result() == 10);
        }
        assertCancelled(start(o -> o.read(where, ByteBuffer.allocateDirect(10), 0)));
        assertBytes(content, Files.readAllBytes(path));
    }

    private Flight force(OperationType how, Association what) {
        return start(o -> {
            if (how == OperationType.FORCE_DATA) {
                o.forceData(what);
            } else {
                o.force(what);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"FORCE", "FORCE_DATA"})
    void forces(OperationType how) throws IOException {
        assertResult(1, start(o -> o.write(where, ByteBuffer.allocate(1), SIZE)));
        Flight force = force(how, where);
        assertResult(0, force);
        assertEquals(how, force.operation().type());
    }

    /** A pipe has no disk behind it. */
    @ParameterizedTest
    @EnumSource(names = {"FORCE", "FORCE_DATA"})
    @Tag(CalledSystem.NOT_WINDOWS)
    void failedForceNamesCallErrorAndSubject(OperationType how) throws IOException {
        Association pipe = associate(own(Pipe.open()).sink());
        assertNamed(how.call(), Errno.EINVAL, pipe, force(how, pipe));
    }

    @ParameterizedTest
    @EnumSource(names = {"FORCE", "FORCE_DATA"})
    void cancelledForcesComplete(OperationType how) throws IOException {
        List<Flight> forces = new ArrayList<>();
        for (int i = 0; i < FORCES; i++) {
            Flight force = force(how, where);
            if (i % 10 == 0) {
                collect(0);
            }
            force.operation().cancel();
            forces.add(force);
        }
        for (Flight force : forces) {
            assertTrue(isCancelled(force) || force.result() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FORCE", "FORCE_DATA"})
    void forcesEndWithTheirFile(OperationType how) throws IOException {
        List<Flight> forces = new ArrayList<>();
        for (int i = 0; i < FORCES; i++) {
            forces.add(force(how, where));
        }
        collect(0);
        file.close();
        for (Flight force : forces) {
            assertTrue(isCancelled(force) || force.result() == 0);
        }
        assertCancelled(force(how, where));
    }

    @Test
    void heapBufferIsReadUpTo64KiBAtATime() throws IOException {
        byte[] much = Bytes.random(200_000);
        Files.write(path, much);
        ByteBuffer buffer = ByteBuffer.allocate(much.length);
        Flight read = flight();
        while (buffer.hasRemaining()) {
            read.start(o -> o.read(where, buffer, buffer.position()));
            long count = result(read);
            assertTrue(count > 0 && count <= 64 * 1024, () -> "read " + count);
        }
        assertBytes(much, buffer.array());
    }

    @Test
    void manyAtOnce() throws IOException {
        List<Flight> reads = new ArrayList<>();
        List<ByteBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < SIZE; i++) {
            int position = i;
            ByteBuffer buffer = i % 2 == 0 ? ByteBuffer.allocate(1) : ByteBuffer.allocateDirect(1);
            buffers.add(buffer);
            reads.add(start(o -> o.read(where, buffer, position)));
        }
        collectAll(reads);
        for (int i = 0; i < SIZE; i++) {
            assertEquals(content[i], buffers.get(i).get(0));
        }
    }

    /** Starts a read or a write of two bytes, which belong to no other one, with one buffer or with two. */
    private Flight pair(int kind, int position, byte[] bytes, ByteBuffer direct) {
        ByteBuffer[] halves = {ByteBuffer.wrap(bytes, position, 1), direct.slice(position + 1, 1)};
        return start(o -> {
            switch (kind) {
                case 0 -> o.read(where, ByteBuffer.allocate(2), position);
                case 1 -> o.read(where, halves, 0, 2, position);
                case 2 -> o.write(where, ByteBuffer.wrap(bytes, position, 2), position);
                default -> o.write(where, halves, 0, 2, position);
            }
        });
    }

    /** Operations may have completed already or may not be cancellable: each completes once nevertheless. */
    @Test
    void cancelledOperationsComplete() throws IOException {
        byte[] others = Bytes.random(SIZE, 1);
        ByteBuffer direct = Bytes.direct(others);
        List<Flight> pairs = new ArrayList<>();
        for (int i = 0; i < SIZE / 2; i++) {
            // The loop thread itself makes no write with a priority.
            where.prioritize(i / (SIZE / 4));
            pairs.add(pair(i % 4, 2 * i, others, direct));
            if (i % 7 == 0) {
                collect(0);
            }
            pairs.get(i).operation().cancel();
        }
        collectAll(pairs);
        byte[] now = Files.readAllBytes(path);
        for (int i = 0; i < pairs.size(); i++) {
            Flight pair = pairs.get(i);
            boolean writes = pair.operation().type() == OperationType.WRITE;
            // A read of two buffers may be cancelled between them.
            assertTrue(isCancelled(pair) || (writes ? pair.result() == 2 : pair.result() > 0));
            if (!writes || pair.result() == 2) {
                assertArrayEquals(Arrays.copyOfRange(writes ? others : content, 2 * i, 2 * i + 2),
                        Arrays.copyOfRange(now, 2 * i, 2 * i + 2));
            }
        }
    }

    @Test
    void failuresNameCallErrorAndSubject() throws IOException {
        Association readOnly = associate(own(FileHandle.open(path)).handle());
        Association writeOnly = associate(own(FileHandle.open(path, StandardOpenOption.WRITE)).handle());
        assertNamed("pwrite", Errno.EBADF, readOnly, start(o -> o.write(readOnly, ByteBuffer.allocate(1), 0)));
        assertNamed("pread", Errno.EBADF, writeOnly, start(o -> o.read(writeOnly, ByteBuffer.allocateDirect(1), 0)));
    }

    private void assertNamed(String call, Errno error, Association subject, Flight failing) throws IOException {
        assertFails(error, failing);
        String message = failing.operation().error(failing.result()).getMessage();
        assertTrue(message.startsWith(call + " ") && message.contains(error.name())
                && message.contains(subject.toString()), message);
    }
}
