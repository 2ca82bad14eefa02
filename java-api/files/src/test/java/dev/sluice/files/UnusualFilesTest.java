package dev.sluice.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.ForeignMemory;
import dev.sluice.eventloop.HandleSet;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.Sparse;
import dev.sluice.proactor.Proactor;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Batches on files that are empty, large, generated, in memory, or no files, and with buffers that are gone. */
@ParameterizedClass(name = "{0}")
@MethodSource("demultiplexers")
@Tag(Depth.BINDING)
class UnusualFilesTest extends LeakChecked {

    private static final int PAGE = 4096;
    private static final long FOUR_GIBIBYTES = 1L << 32;

    private final String demultiplexer;

    @TempDir
    Path directory;

    private FileLoop loop;

    UnusualFilesTest(String demultiplexer) {
        this.demultiplexer = demultiplexer;
    }

    static Stream<String> demultiplexers(TestInfo test) {
        return HandleSet.ofProactors(test).map(HandleSet::demultiplexer);
    }

    @BeforeEach
    void open() throws IOException {
        loop = FileLoop.open(Proactor.builder().demultiplexer(demultiplexer));
    }

    @AfterEach
    void close() {
        loop.close();
    }

    private static ByteBuffer page() {
        return ByteBuffer.allocateDirect(PAGE);
    }

    private static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    private static byte[] read(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.flip().remaining()];
        buffer.get(bytes);
        return bytes;
    }

    @Test
    void emptyFileIsReadWrittenAndForced() throws IOException {
        Path path = Files.createFile(directory.resolve("empty"));
        FileBatch batch = new FileBatch(loop, 3);
        try (LoopFile file = loop.openFile(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            batch.read(file, page(), 0);
            batch.read(file, page(), PAGE);
            batch.write(file, ByteBuffer.allocate(0), 7);
            batch.await();
            assertEquals(FileHandle.END_OF_FILE, batch.bytes(0));
            assertEquals(FileHandle.END_OF_FILE, batch.bytes(1));
            assertEquals(0, batch.bytes(2));
            batch.force(file);
            batch.forceData(file);
            batch.await();
        }
        assertEquals(0, Files.size(path));
    }

    @Test
    void readsAndWritesBeyondFourGibibytes() throws IOException {
        Path path = Sparse.create(directory.resolve("large"));
        long position = FOUR_GIBIBYTES + 1;
        byte[] bytes = random(2 * PAGE);
        try (LoopFile file = loop.openFile(path, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            FileBatch batch = new FileBatch(loop, 4);
            batch.write(file, direct(bytes), position);
            batch.await();
            assertEquals(bytes.length, batch.bytes(0));
            assertEquals(position + bytes.length, Files.size(path));
            ByteBuffer written = ByteBuffer.allocateDirect(2 * bytes.length);
            ByteBuffer hole = page();
            ByteBuffer truncated = page();
            batch.read(file, written, position);
            batch.read(file, hole, FOUR_GIBIBYTES - 2 * PAGE);
            batch.read(file, truncated, 1);
            batch.read(file, page(), position + bytes.length);
            batch.await();
            assertEquals(bytes.length, batch.bytes(0));
            assertArrayEquals(bytes, read(written));
            assertArrayEquals(new byte[PAGE], read(hole));
            // Where a position of 32 bits would have put the bytes.
            assertArrayEquals(new byte[PAGE], read(truncated));
            assertEquals(FileHandle.END_OF_FILE, batch.bytes(3));
        }
    }

    /** Their length is 0, and a read of a long one brings a part of what there is, so that it has to be continued. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void generatedFilesAreRead() throws IOException {
        Path lines = Path.of("/proc/kallsyms");
        Path few = Path.of("/proc/filesystems");
        assumeTrue(Files.isReadable(lines) && Files.isReadable(few), "no such files here");
        byte[] beginning;
        try (InputStream input = Files.newInputStream(lines)) {
            beginning = input.readNBytes(4 * PAGE);
        }
        try (LoopFile first = loop.openFile(lines); LoopFile second = loop.openFile(few)) {
            FileBatch batch = new FileBatch(loop, 2);
            ByteBuffer read = ByteBuffer.allocateDirect(beginning.length);
            ByteBuffer all = page();
            batch.read(first, read, 0);
            batch.read(second, all, 0);
            batch.await();
            assertEquals(beginning.length, batch.bytes(0));
            assertArrayEquals(beginning, read(read));
            assertArrayEquals(Files.readAllBytes(few), read(all));
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void fileInMemoryIsReadAndWritten() throws IOException {
        Path memory = Path.of("/dev/shm");
        assumeTrue(Files.isWritable(memory) && Files.getFileStore(memory).type().equals("tmpfs"), "no tmpfs here");
        Path path = Files.createTempFile(memory, "sluice", "");
        try (LoopFile file = loop.openFile(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            byte[] bytes = random(3 * PAGE + 5);
            FileBatch batch = new FileBatch(loop, 2);
            batch.write(file, direct(bytes), 3);
            batch.await();
            ByteBuffer all = ByteBuffer.allocate(4 * PAGE);
            batch.read(file, all, 0);
            batch.forceData(file);
            batch.await();
            byte[] expected = new byte[bytes.length + 3];
            System.arraycopy(bytes, 0, expected, 3, bytes.length);
            assertArrayEquals(expected, read(all));
        } finally {
            Files.delete(path);
        }
    }

    /** A directory can be opened for reading, and its bytes cannot be read. */
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a directory cannot be opened for reading")
    void directoryIsRefusedByName() throws IOException {
        Path path = Files.write(directory.resolve("file"), random(PAGE));
        try (LoopFile folder = loop.openFile(directory); LoopFile file = loop.openFile(path)) {
            FileBatch batch = new FileBatch(loop, 2);
            ByteBuffer page = page();
            batch.read(folder, page(), 0);
            batch.read(file, page, 0);
            IOException refusal = assertThrows(IOException.class, batch::await);
            assertTrue(refusal.getMessage().contains("EISDIR") && refusal.getMessage().contains("pread"),
                    refusal.getMessage());
            assertArrayEquals(random(PAGE), read(page));
        }
    }

    /**
     * A FIFO has no positions: pread refuses it, and io_uring reads what is there. Either way the batch completes, and
     * an operation that waits for bytes is cancelled.
     */
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void fifoHoldsUpNothing() throws Exception {
        Path fifo = directory.resolve("fifo");
        assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).inheritIO().start().waitFor());
        Path path = Files.write(directory.resolve("file"), random(PAGE));
        try (LoopFile both = loop.openFile(fifo, StandardOpenOption.READ, StandardOpenOption.WRITE);
                LoopFile file = loop.openFile(path)) {
            FileBatch waiting = new FileBatch(loop, 1);
            waiting.read(both, page(), 0);
            waiting.submit();
            FileBatch batch = new FileBatch(loop, 1);
            ByteBuffer page = page();
            batch.read(file, page, 0);
            batch.await();
            assertArrayEquals(random(PAGE), read(page));
            waiting.cancel();
            IOException end = assertThrows(IOException.class, waiting::await);
            assertNotNull(waiting.error(0));
            assertTrue(end.getMessage().contains("pread"), end.getMessage());
        }
    }

    @Test
    void bufferWhoseArenaIsClosedIsRefused() throws Exception {
        ForeignMemory.assumeThere();
        Path path = Files.write(directory.resolve("file"), random(PAGE));
        AutoCloseable arena = ForeignMemory.arena("ofShared");
        ByteBuffer gone = ForeignMemory.buffer(arena);
        arena.close();
        try (LoopFile file = loop.openFile(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            FileBatch batch = new FileBatch(loop, 4);
            ByteBuffer page = page();
            batch.read(file, gone, 0);
            batch.write(file, gone.duplicate(), 0);
            batch.writeAndForceData(file, gone.duplicate(), 0);
            batch.read(file, page, 0);
            IOException refusal = assertThrows(IOException.class, batch::await);
            assertTrue(refusal.getMessage().contains("has been freed"), refusal.getMessage());
            assertNotNull(batch.error(0));
            assertNotNull(batch.error(1));
            assertNotNull(batch.error(2));
            assertNull(batch.error(3));
            assertArrayEquals(random(PAGE), read(page));
        }
        assertArrayEquals(random(PAGE), Files.readAllBytes(path));
    }

    /** By the thread of the loop, which has started the operation and executes it next. */
    @Test
    void arenaIsClosedBeforeAForcedWriteIsExecuted() throws Exception {
        ForeignMemory.assumeThere();
        Path path = Files.write(directory.resolve("file"), random(PAGE));
        ByteBuffer zeros = ByteBuffer.allocateDirect(PAGE);
        AutoCloseable arena = ForeignMemory.arena("ofShared");
        ByteBuffer view = ForeignMemory.view(zeros, arena);
        CountDownLatch both = new CountDownLatch(1);
        FutureTask<Void> closing = new FutureTask<>(() -> {
            arena.close();
            return null;
        });
        try (LoopFile file = loop.openFile(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            FileBatch batch = new FileBatch(loop, 1);
            batch.writeAndForceData(file, view, 0);
            assertTrue(loop.execute(() -> OtherThread.await(both)));
            batch.submit();
            assertTrue(loop.execute(closing));
            both.countDown();
            try {
                batch.await();
            } catch (IOException e) {
                assertNotNull(e.getCause(), e::toString);
            }
            closing.get(1, TimeUnit.MINUTES);
            // A mechanism may have copied the bytes when the operation was started.
            boolean isWritten = batch.error(0) == null;
            assertEquals(isWritten ? PAGE : 0, batch.bytes(0));
            assertArrayEquals(isWritten ? new byte[PAGE] : random(PAGE), Files.readAllBytes(path));
        }
    }

    /** Each operation is either done or fails; those that wait for their turn find the arena closed. */
    @Test
    void arenaIsClosedWhileOperationsWait() throws Exception {
        ForeignMemory.assumeThere();
        int count = 200;
        Path path = Files.write(directory.resolve("file"), random(PAGE));
        ByteBuffer memory = ByteBuffer.allocateDirect(PAGE);
        AutoCloseable arena = ForeignMemory.arena("ofShared");
        ByteBuffer view = ForeignMemory.view(memory, arena);
        try (LoopFile file = loop.add(FileHandle.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE), 1)) {
            FileBatch batch = new FileBatch(loop, count);
            for (int i = 0; i < count; i++) {
                batch.read(file, view.duplicate(), 0);
            }
            batch.submit();
            closeWhenPossible(arena);
            try {
                batch.await();
            } catch (IOException e) {
                // It is closed before the operation is started, or between that and the first use of the memory.
                assertTrue(e.getMessage().contains("has been freed") || e.getCause() != null, e::toString);
            }
            for (int i = 0; i < count; i++) {
                assertTrue(batch.error(i) != null || batch.bytes(i) == PAGE, "operation " + i);
            }
            ByteBuffer page = page();
            batch.read(file, page, 0);
            batch.await();
            assertArrayEquals(random(PAGE), read(page));
        }
    }

    /** An operation that holds the memory while the system uses it lets the arena refuse. */
    private static void closeWhenPossible(AutoCloseable arena) throws Exception {
        while (true) {
            try {
                arena.close();
                return;
            } catch (IllegalStateException e) {
                Thread.onSpinWait();
            }
        }
    }
}
