package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.system.Scratch;
import dev.sluice.testing.Depth;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading and writing files. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class FileHandleTest extends LeakChecked {

    private static final long BEYOND_4_GIB = (1L << 32) + 12_345;

    @TempDir
    Path directory;

    private FileHandle open(String name) throws Exception {
        return own(FileHandle.open(directory.resolve(name), StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE));
    }

    /** Some support seeking from the end, some do not; stat(2) reports the same for all. */
    @EnabledOnOs(OS.LINUX)
    @ParameterizedTest
    @ValueSource(strings = {"/proc/self/status", "/proc/version", "/proc/sys/kernel/ostype"})
    void generatedFilesHaveContentsButNoLength(String path) throws Exception {
        FileHandle file = own(FileHandle.open(Path.of(path)));
        assertEquals(Files.size(Path.of(path)), file.size());
        assertTrue(file.read(ByteBuffer.allocate(10), 0) > 0);
    }

    @Test
    void everyKindOfBufferIsWrittenAndRead() throws Exception {
        FileHandle file = open("file");
        int position = 3;
        for (BufferKind writing : BufferKind.values()) {
            for (BufferKind reading : BufferKind.values()) {
                ByteBuffer destination = reading.empty(position);
                if (reading.isWritable()) {
                    byte[] content = Bytes.random(position);
                    ByteBuffer source = writing.of(content);
                    assertEquals(content.length, file.write(source, position));
                    assertEquals(0, source.remaining());
                    assertEquals(content.length, file.read(destination, position));
                    assertArrayEquals(content, reading.received(destination), writing + " to " + reading);
                    position++;
                } else {
                    assertThrows(IllegalArgumentException.class, () -> file.read(destination, 0));
                }
            }
        }
    }

    @Test
    void fileOfAnotherFileSystemIsRejected() {
        Path module = Path.of(URI.create("jrt:/java.base"));
        assertThrows(ProviderMismatchException.class, () -> FileHandle.open(module));
        assertThrows(ProviderMismatchException.class, () -> FileHandle.open(module, StandardOpenOption.CREATE,
                StandardOpenOption.WRITE));
    }

    /** One call copies at most 64 KiB of a buffer on the heap. */
    @Test
    void allBytesAreWritten() throws Exception {
        FileHandle file = open("file");
        byte[] content = Bytes.random(200_000);
        ByteBuffer source = ByteBuffer.wrap(content);
        assertTrue(file.write(source, 0) < content.length);
        file.writeFully(source.rewind(), 3);
        assertEquals(0, source.remaining());
        byte[] written = Files.readAllBytes(directory.resolve("file"));
        assertArrayEquals(content, Arrays.copyOfRange(written, 3, written.length));
        assertThrows(IllegalArgumentException.class, () -> file.writeFully(source.rewind(), -1));
    }

    @Test
    void endOfFile() throws Exception {
        FileHandle file = open("file");
        ByteBuffer destination = ByteBuffer.allocate(10);
        assertEquals(FileHandle.END_OF_FILE, file.read(destination, 0));
        file.write(Bytes.heap("four"), 0);
        assertEquals(3, file.read(destination, 1));
        assertEquals("our", Bytes.text(destination));
        assertEquals(FileHandle.END_OF_FILE, file.read(destination, 4));
        assertEquals(FileHandle.END_OF_FILE, file.read(new ByteBuffer[] {destination}, 0, 1, 4));
        assertEquals(FileHandle.END_OF_FILE, file.read(destination, Long.MAX_VALUE - 10));
        assertEquals(0, file.read(ByteBuffer.allocate(0), 4), "no space");
        assertEquals(0, file.read(new ByteBuffer[0], 0, 0, 4), "no space");
        assertEquals(0, file.write(ByteBuffer.allocate(0), 100));
        assertEquals(0, file.write(new ByteBuffer[0], 0, 0, 100));
        assertEquals(4, file.size());
    }

    @Test
    void readReturnsEndOfFileNearTheLargestPosition() throws Exception {
        FileHandle file = open("file");
        file.write(Bytes.heap("four"), 0);
        ByteBuffer[] destinations = {ByteBuffer.allocate(0), ByteBuffer.allocate(10), ByteBuffer.allocateDirect(10)};
        for (long position : new long[] {Long.MAX_VALUE - 19, Long.MAX_VALUE - 1, Long.MAX_VALUE}) {
            assertEquals(FileHandle.END_OF_FILE, file.read(destinations[1], position));
            assertEquals(FileHandle.END_OF_FILE, file.read(destinations[2], position));
            assertEquals(FileHandle.END_OF_FILE, file.read(destinations, 0, 3, position));
        }
        assertEquals(4, file.read(destinations, 0, 3, 0));
    }

    @Test
    void beyondFourGibibytes() throws Exception {
        Sparse.create(directory.resolve("sparse"));
        FileHandle file = open("sparse");
        ByteBuffer[] vector = {Bytes.heap("ve"), Bytes.direct(Bytes.of("ctor"))};
        assertEquals(3, file.write(Bytes.heap("far"), BEYOND_4_GIB));
        assertEquals(6, file.write(vector, 0, 2, BEYOND_4_GIB + 3));
        assertEquals(BEYOND_4_GIB + 9, file.size());
        ByteBuffer destination = ByteBuffer.allocate(20);
        assertEquals(9, file.read(destination, BEYOND_4_GIB));
        assertEquals("farvector", Bytes.text(destination));
        ByteBuffer[] destinations = {ByteBuffer.allocateDirect(2), ByteBuffer.allocate(5)};
        assertEquals(7, file.read(destinations, 0, 2, BEYOND_4_GIB + 1));
        assertEquals("ar", Bytes.text(destinations[0]));
        assertEquals("vecto", Bytes.text(destinations[1]));
        assertEquals(20, file.read(destination.clear(), BEYOND_4_GIB % (1L << 32)));
        assertArrayEquals(new byte[20], destination.array());
    }

    @Test
    void severalBuffersAtOnce() throws Exception {
        FileHandle file = open("file");
        ByteBuffer[] sources = {Bytes.heap("never"), Bytes.heap("he"), ByteBuffer.allocate(0),
            BufferKind.DIRECT_SLICE.of(Bytes.of("ap ")), BufferKind.READ_ONLY_HEAP.of(Bytes.of("direct"))};
        assertEquals(11, file.write(sources, 1, 4, 2));
        assertEquals(0, sources[0].position());
        assertEquals("\0\0heap direct", Files.readString(directory.resolve("file")));
        ByteBuffer[] destinations = {ByteBuffer.allocate(3), ByteBuffer.allocateDirect(0), ByteBuffer.allocateDirect(5),
            ByteBuffer.allocate(10)};
        assertEquals(10, file.read(destinations, 0, 4, 3));
        assertEquals("eap", Bytes.text(destinations[0]));
        assertEquals(" dire", Bytes.text(destinations[2]));
        assertEquals("ct", Bytes.text(destinations[3]));
    }

    @Test
    void totalSizeMayExceedAnInt() throws Exception {
        FileHandle file = open("file");
        file.write(Bytes.heap("small"), 0);
        ByteBuffer whole = ByteBuffer.allocateDirect(4 * 1024 * 1024);
        ByteBuffer[] views = new ByteBuffer[1024];
        Arrays.setAll(views, i -> whole.duplicate());
        assertEquals(5, file.read(views, 0, views.length, 0));
        assertEquals("small", Bytes.text(views[0]));
    }

    @Test
    void largeHeapBufferTakesSeveralCalls() throws Exception {
        FileHandle file = open("file");
        byte[] content = Bytes.random(3 * Scratch.COPY_SIZE + 1);
        ByteBuffer source = ByteBuffer.wrap(content);
        assertEquals(Scratch.COPY_SIZE, file.write(source, 0));
        while (source.hasRemaining()) {
            file.write(source, source.position());
        }
        ByteBuffer destination = ByteBuffer.allocate(content.length + 1);
        int read = 0;
        while (read >= 0) {
            read = file.read(destination, destination.position());
        }
        assertArrayEquals(content, Bytes.before(destination));
        assertArrayEquals(content, Files.readAllBytes(directory.resolve("file")));
    }

    @Test
    void truncateCutsAndExtends() throws Exception {
        FileHandle file = open("file");
        file.write(Bytes.heap("0123456789"), 0);
        file.truncate(4);
        assertEquals(4, file.size());
        file.truncate(6);
        assertEquals("0123\0\0", Files.readString(directory.resolve("file")));
        file.truncate(BEYOND_4_GIB);
        assertEquals(BEYOND_4_GIB, file.size());
        FileHandle reading = own(FileHandle.open(directory.resolve("file")));
        SystemCallException e = assertThrows(SystemCallException.class, () -> reading.truncate(0));
        assertEquals("ftruncate", e.call());
        assertEquals("EINVAL", e.errorName());
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void forceReportsFailures() throws Exception {
        try (FaultInjection faults = FaultInjection.install()) {
            FileHandle file = open("file");
            file.write(Bytes.heap("x"), 0);
            file.force();
            assertEquals(1, faults.calls("fsync"));
            faults.failNth("fsync", 1, Errno.EIO);
            SystemCallException e = assertThrows(SystemCallException.class, file::force);
            assertEquals("fsync " + file + ": EIO (input/output error)", e.getMessage());
        }
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void forceDataReportsFailures() throws Exception {
        try (FaultInjection faults = FaultInjection.install()) {
            FileHandle file = open("file");
            file.write(Bytes.heap("x"), 0);
            file.forceData();
            assertEquals(1, faults.calls("fdatasync"));
            assertEquals(0, faults.calls("fsync"));
            faults.failNth("fdatasync", 1, Errno.EIO);
            SystemCallException e = assertThrows(SystemCallException.class, file::forceData);
            assertEquals("fdatasync " + file + ": EIO (input/output error)", e.getMessage());
            file.close();
            assertThrows(HandleClosedException.class, file::forceData);
        }
    }

    @Test
    void negativePositionIsRefused() throws Exception {
        FileHandle file = open("file");
        ByteBuffer one = ByteBuffer.allocate(1);
        Executable[] uses = {
            () -> file.read(one, -1),
            () -> file.write(one, -1),
            () -> file.read(new ByteBuffer[] {one}, 0, 1, -1),
            () -> file.write(new ByteBuffer[] {one}, 0, 1, -1),
            () -> file.truncate(-1),
        };
        for (int i = 0; i < uses.length; i++) {
            assertThrows(IllegalArgumentException.class, uses[i], "use " + i);
        }
        assertEquals("size: -1", assertThrows(IllegalArgumentException.class, () -> file.truncate(-1)).getMessage());
        assertEquals(0, file.size());
    }

    @Test
    void allUsesAfterTheCloseAreRejected() throws Exception {
        FileHandle file = open("file");
        ByteBuffer one = ByteBuffer.allocate(1);
        file.close();
        file.close();
        Executable[] uses = {
            () -> file.read(one, 0),
            () -> file.write(one, 0),
            () -> file.read(new ByteBuffer[] {one}, 0, 1, 0),
            () -> file.write(new ByteBuffer[] {one}, 0, 1, 0),
            () -> file.truncate(0),
            file::size,
            file::force,
            () -> MappedFile.map(file, MappedFile.Mode.READ_ONLY, 0, 1),
        };
        for (int i = 0; i < uses.length; i++) {
            HandleClosedException e = assertThrows(HandleClosedException.class, uses[i], "use " + i);
            assertEquals(file + " is closed", e.getMessage());
        }
        assertTrue(file.toString().startsWith(directory.resolve("file") + " (fd "), file::toString);
    }
}
