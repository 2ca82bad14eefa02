package dev.sluice.proactor;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.SPARSE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FileHandle;
import dev.sluice.testing.Depth;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Tag(Depth.IN_QUICK)
class AsyncFileTest extends ProactorContract {

    @TempDir
    Path directory;

    private Path path;

    @BeforeEach
    void choosePath() {
        path = directory.resolve("file");
    }

    private AsyncFile open(OpenOption... options) throws IOException {
        Object token = new Object();
        proactor.openFile(recorder, token, path, options);
        CompletionRecorder.Result opened = result(token);
        assertTrue(opened.isSuccess(), () -> opened.error().getMessage());
        return new AsyncFile(proactor, opened.file(), recorder);
    }

    @Test
    void isOpenedWithoutWaiting() throws Exception {
        proactor.openFile(recorder, "open", path, CREATE_NEW, WRITE);
        assertEquals(List.of(), recorder.results());
        CompletionRecorder.Result opened = result("open");
        assertEquals(OperationType.OPEN, opened.type());
        assertEquals(OperationType.OPEN, opened.type());
        assertNull(opened.handle());
        assertTrue(opened.file().handle().isOpen());
        assertTrue(Files.exists(path));
        assertEquals(0, opened.file().size());
    }

    @Test
    void aMissingOneIsAFailureThatNamesIt() throws Exception {
        proactor.openFile(recorder, "open", path, READ);
        CompletionRecorder.Result failed = result("open");
        assertTrue(failed.isFailure());
        assertNull(failed.file());
        assertEquals("open " + path + ": ENOENT (no such file or directory)", failed.error().getMessage());
    }

    @Test
    void wrongOptionsAreRefusedAtOnce() throws Exception {
        OpenOption strange = SPARSE;
        assertThrows(UnsupportedOperationException.class, () -> proactor.openFile(recorder, null, path, strange));
        assertThrows(NullPointerException.class, () -> proactor.openFile(null, null, path, READ));
        runUntilIdle();
        assertEquals(List.of(), recorder.results());
    }

    @Test
    void whatIsWrittenIsRead() throws Exception {
        byte[] bytes = Bytes.random(1_000_003);
        AsyncFile file = open(CREATE, READ, WRITE);
        List<Long> positions = new ArrayList<>();
        recorder.on(OperationType.WRITE, completion -> positions.add(completion.position()));
        file.write(ByteBuffer.wrap(bytes, 0, 500_000), 0, "heap");
        file.write(direct(Arrays.copyOfRange(bytes, 500_000, bytes.length)), 500_000, "direct");
        assertEquals(500_000, result("heap").bytes());
        assertEquals(bytes.length - 500_000, result("direct").bytes());
        assertEquals(OperationType.WRITE, recorder.last("heap").type());
        assertEquals(Set.of(0L, 500_000L), Set.copyOf(positions));
        file.force("force");
        assertTrue(result("force").isSuccess());
        assertEquals(OperationType.FORCE, recorder.last("force").type());
        assertEquals(OperationType.FORCE, recorder.last("force").type());
        file.forceData("data");
        assertTrue(result("data").isSuccess());
        assertEquals(OperationType.FORCE_DATA, recorder.last("data").type());
        assertEquals(OperationType.FORCE_DATA, recorder.last("data").type());
        CompletionRecorder own = recorder("own");
        file.withHandler(own).forceData("own");
        runUntil(() -> own.isOver("own"));
        assertTrue(own.last("own").isSuccess());
        assertArrayEquals(bytes, Files.readAllBytes(path));
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length);
        file.read(direct, 0, "read");
        assertEquals(bytes.length, result("read").bytes());
        assertEquals(ByteBuffer.wrap(bytes), direct.flip());
        ByteBuffer heap = ByteBuffer.allocate(1_000);
        file.read(heap, 123_456, "part");
        assertEquals(1_000, result("part").bytes());
        assertEquals(ByteBuffer.wrap(bytes, 123_456, 1_000), heap.flip());
        assertEquals(OperationType.READ, recorder.last("part").type());
    }

    @Test
    void whatIsWrittenAndForcedIsOneOperation() throws Exception {
        AsyncFile file = open(CREATE, READ, WRITE);
        file.writeAndForceData(heap("one "), 0, "one");
        assertEquals(4, result("one").bytes());
        assertEquals(OperationType.WRITE_AND_FORCE_DATA, recorder.last("one").type());
        ByteBuffer[] sources = {heap("not"), direct("two "), heap("three")};
        file.writeAndForceData(sources, 1, 2, 4, "several");
        assertEquals(9, result("several").bytes());
        CompletableFuture<Long> future = file.writeAndForceDataFuture(direct(" four"), 13);
        runUntil(future::isDone);
        assertEquals(5, future.join());
        assertEquals("one two three four", Files.readString(path));
        AsyncFile readOnly = open(READ);
        readOnly.writeAndForceData(heap("x"), 0, "refused");
        String message = result("refused").error().getMessage();
        assertTrue(message.startsWith("pwrite " + readOnly + ": EBADF"), message);
    }

    @Test
    void severalBuffersAreOne() throws Exception {
        AsyncFile file = open(CREATE, READ, WRITE);
        ByteBuffer[] sources = {heap("not"), heap("one "), direct("two "), heap(""), heap("three"), heap("not")};
        file.write(sources, 1, 4, 3, "write");
        assertEquals(13, result("write").bytes());
        assertEquals("\0\0\0one two three", Files.readString(path));
        ByteBuffer[] rooms = {ByteBuffer.allocate(9), ByteBuffer.allocate(2), ByteBuffer.allocateDirect(4),
            ByteBuffer.allocate(100)};
        file.read(rooms, 1, 3, 3, "read");
        assertEquals(13, result("read").bytes());
        assertEquals(0, rooms[0].position());
        assertReceived("on", rooms[1]);
        assertReceived("e tw", rooms[2]);
        assertReceived("o three", rooms[3]);
    }

    @Test
    void readingBehindTheEndIsTheEnd() throws Exception {
        Files.writeString(path, "content");
        AsyncFile file = open(READ);
        file.read(ByteBuffer.allocate(100), 3, "rest");
        assertEquals(4, result("rest").bytes());
        assertFalse(recorder.last("rest").end());
        for (long position : new long[] {7, 1_000}) {
            file.read(ByteBuffer.allocate(100), position, position);
            assertTrue(result(position).end());
            assertEquals(-1, recorder.last(position).bytes());
        }
    }

    @Test
    void whatIsAppendedGoesToTheEnd() throws Exception {
        Files.writeString(path, "before");
        AsyncFile file = open(WRITE, APPEND);
        for (int i = 0; i < 3; i++) {
            file.write(heap(" after"), 0, i);
            assertEquals(6, result(i).bytes());
        }
        assertEquals("before after after after", Files.readString(path));
    }

    @Test
    void manyOperationsAtOnceAllComeBack() throws Exception {
        AsyncFile file = open(CREATE, READ, WRITE);
        int count = 300;
        for (int i = 0; i < count; i++) {
            file.write(direct(String.format("%04d", i)), 4L * i, "write " + i);
        }
        runUntil(() -> recorder.over() == count + 1);
        ByteBuffer[] rooms = new ByteBuffer[count];
        for (int i = 0; i < count; i++) {
            rooms[i] = ByteBuffer.allocate(4);
            file.read(rooms[i], 4L * i, "read " + i);
        }
        runUntil(() -> recorder.over() == 2 * count + 1);
        for (int i = 0; i < count; i++) {
            assertEquals(4, recorder.last("write " + i).bytes());
            assertReceived(String.format("%04d", i), rooms[i]);
        }
    }

    @Test
    void failuresNameTheFile() throws Exception {
        Files.writeString(path, "content");
        AsyncFile file = open(READ);
        file.write(heap("x"), 0, "write");
        CompletionRecorder.Result failed = result("write");
        assertTrue(failed.isFailure());
        assertTrue(failed.error().getMessage().startsWith("pwrite " + file + ": EBADF"), failed.error()::getMessage);
        assertTrue(failed.error().getMessage().contains(path.toString()), failed.error()::getMessage);
        assertThrows(IllegalArgumentException.class, () -> file.read(ByteBuffer.allocate(1), -1, null));
        assertThrows(IllegalArgumentException.class, () -> file.write(heap("x"), -1, null));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void spaceAndCacheOfRanges() throws Exception {
        AsyncFile file = open(CREATE, READ, WRITE);
        List<Long> positions = new ArrayList<>();
        recorder.on(OperationType.ALLOCATE, completion -> positions.add(completion.position()));
        file.allocate(4096, 8192, "allocate");
        assertTrue(result("allocate").isSuccess());
        assertEquals(List.of(4096L), positions);
        assertEquals(12_288, Files.size(path));
        file.punchHole(0, 1, "hole");
        file.prefetch(0, 12_288, "prefetch");
        file.evict(0, 12_288, "evict");
        file.writeBack(0, 12_288, "write back");
        for (String token : List.of("hole", "prefetch", "evict", "write back")) {
            assertTrue(result(token).isSuccess(), token);
        }
        assertNull(result(file.allocateFuture(0, 20_000)));
        assertEquals(20_000, Files.size(path));
        for (CompletableFuture<Void> future : List.of(file.punchHoleFuture(0, 1), file.prefetchFuture(0, 1),
                file.evictFuture(0, 1), file.writeBackFuture(0, 1))) {
            assertNull(result(future));
        }
        assertThrows(IllegalArgumentException.class, () -> file.allocate(0, 0, null));
        CompletableFuture<Void> cancelled = file.writeBackFuture(0, 20_000);
        cancelled.cancel(false);
        runUntil(cancelled::isDone);
    }

    @Test
    void isTruncatedAndCopied() throws Exception {
        Files.writeString(path, "content");
        AsyncFile file = open(READ, WRITE);
        file.truncate(4, "truncate");
        assertTrue(result("truncate").isSuccess());
        assertNull(result(file.truncateFuture(6)));
        assertEquals("cont\0\0", Files.readString(path));
        AsyncFile target = openCopy();
        List<Long> positions = new ArrayList<>();
        recorder.on(OperationType.COPY, completion -> positions.add(completion.position()));
        file.copyTo(1, 10, target.file(), 2, "copy");
        assertEquals(5, result("copy").bytes());
        assertEquals(List.of(1L), positions);
        assertEquals(2, result(file.copyToFuture(0, 2, target.file(), 0)));
        assertEquals("coont\0\0", Files.readString(directory.resolve("copy")));
        assertThrows(IllegalArgumentException.class, () -> file.truncate(-1, null));
        assertThrows(IllegalArgumentException.class, () -> file.copyTo(0, -1, target.file(), 0, null));
        CompletableFuture<Long> cancelled = file.copyToFuture(0, 6, target.file(), 0);
        cancelled.cancel(false);
        runUntil(cancelled::isDone);
    }

    private AsyncFile openCopy() throws IOException {
        Object token = new Object();
        proactor.openFile(recorder, token, directory.resolve("copy"), CREATE, READ, WRITE);
        return new AsyncFile(proactor, result(token).file(), recorder);
    }

    @Test
    @EnabledOnOs(value = {OS.LINUX, OS.MAC, OS.WINDOWS}, disabledReason = "the system locks whole files only")
    void aLockThatNoHookTakesEnds() throws Exception {
        AsyncFile file = open(CREATE, READ, WRITE);
        file.lock(0, 10, false, "lock");
        assertTrue(result("lock").isSuccess());
        try (FileHandle other = FileHandle.open(path, READ, WRITE)) {
            other.tryLock(0, 10, false).close();
            List<Closeable> taken = new ArrayList<>();
            recorder.on(OperationType.TRY_LOCK, completion -> taken.add(completion.lock()));
            file.tryLock(0, 10, false, "try");
            assertTrue(result("try").isSuccess());
            assertNull(other.tryLock(0, 10, false));
            taken.get(0).close();
            other.tryLock(0, 10, false).close();
        }
    }

    @Test
    @EnabledOnOs(value = {OS.LINUX, OS.MAC, OS.WINDOWS}, disabledReason = "the system locks whole files only")
    void aLockIsAFuture() throws Exception {
        AsyncFile file = open(CREATE, READ, WRITE);
        try (FileHandle other = FileHandle.open(path, READ, WRITE)) {
            Closeable held = other.lock(0, 10, false);
            assertNull(result(file.tryLockFuture(0, 1, false)));
            CompletableFuture<Closeable> waiting = file.lockFuture(0, 1, false);
            CompletableFuture<Closeable> late = file.lockFuture(0, 1, false).orTimeout(1, TimeUnit.MILLISECONDS);
            runUntil(late::isDone);
            assertInstanceOf(TimeoutException.class, late.handle((lock, cause) -> cause).join());
            CompletableFuture<Closeable> cancelled = file.lockFuture(0, 1, false);
            cancelled.cancel(false);
            runUntil(cancelled::isDone);
            assertTrue(cancelled.isCancelled());
            CompletableFuture<Closeable> unwanted = file.lockFuture(1, 1, false);
            unwanted.complete(null);
            assertFalse(waiting.isDone());
            held.close();
            Closeable lock = result(waiting);
            assertNull(other.tryLock(0, 1, false));
            lock.close();
            runUntilIdle();
            other.tryLock(0, 10, false).close();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void itsAttributesAreRead() throws Exception {
        Files.writeString(path, "content");
        AsyncFile file = open(READ);
        List<PosixFileAttributes> read = new ArrayList<>();
        recorder.on(OperationType.STATUS, completion -> read.add(completion.status()));
        file.status("status");
        assertTrue(result("status").isSuccess());
        assertEquals(7, read.get(0).size());
        assertEquals(Files.getLastModifiedTime(path), result(file.statusFuture()).lastModifiedTime());
    }

    @Test
    void isClosedWithoutWaiting() throws Exception {
        AsyncFile file = open(CREATE, WRITE);
        file.close("close");
        CompletionRecorder.Result closed = result("close");
        assertTrue(closed.isSuccess());
        assertEquals(OperationType.CLOSE, closed.type());
        assertFalse(file.handle().isOpen());
        file.write(heap("x"), 0, "late");
        assertTrue(result("late").isCancelled());
    }
}
