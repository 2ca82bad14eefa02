package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.handle.MappedFile.Mode;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class MappedFileTest extends LeakChecked {

    private static final int SIZE = 200_000;
    private static final int SHRUNK = 20_000;

    @TempDir
    static Path directory;

    private byte[] content;
    private Path path;
    private FileHandle file;

    @BeforeEach
    void openFile() throws Exception {
        content = Bytes.random(SIZE);
        path = Files.write(Files.createTempFile(directory, "mapped", ""), content);
        file = own(FileHandle.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    /** On Windows a mapped file cannot be deleted, and under JNA it is mapped until the buffer is garbage-collected. */
    @AfterAll
    static void deleteFiles() throws IOException {
        Patience patience = new Patience();
        List<Path> left = files();
        while (!left.isEmpty()) {
            left.forEach(each -> each.toFile().delete());
            left = files();
            if (!left.isEmpty()) {
                assertTrue(patience.lasts(), "a file is still mapped");
                System.gc();
            }
        }
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    private byte inFile(int position) throws Exception {
        ByteBuffer one = ByteBuffer.allocate(1);
        file.read(one, position);
        return one.get(0);
    }

    @Test
    void readOnlySeesTheFileAndCannotChangeIt() throws Exception {
        MappedFile mapped = own(MappedFile.map(file, Mode.READ_ONLY, 0, SIZE));
        assertEquals(ByteBuffer.wrap(content), mapped.buffer());
        assertThrows(ReadOnlyBufferException.class, () -> mapped.buffer().put(0, (byte) 1));
        file.write(ByteBuffer.wrap(new byte[] {(byte) ~content[5]}), 5);
        assertEquals((byte) ~content[5], mapped.buffer().get(5));
    }

    @Test
    void readWriteChangesTheFile() throws Exception {
        MappedFile mapped = own(MappedFile.map(file, Mode.READ_WRITE, 100, 1000));
        mapped.buffer().put(0, (byte) ~content[100]).put(999, (byte) ~content[1099]);
        mapped.force();
        assertEquals((byte) ~content[100], inFile(100));
        assertEquals((byte) ~content[1099], inFile(1099));
        assertEquals(content[99], inFile(99));
        assertEquals(content[1100], inFile(1100));
    }

    @Test
    void privateChangesStayHere() throws Exception {
        MappedFile mapped = own(MappedFile.map(file, Mode.PRIVATE, 0, 10));
        mapped.buffer().put(3, (byte) ~content[3]);
        mapped.force();
        assertEquals((byte) ~content[3], mapped.buffer().get(3));
        assertEquals(content[3], inFile(3));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4095, 4096, 4097, 65_535, 65_536, 65_537, 131_073, SIZE - 1})
    void readsAtAnyPosition(int position) throws Exception {
        for (int size : new int[] {1, (SIZE - position + 1) / 2, SIZE - position}) {
            MappedFile mapped = own(MappedFile.map(file, Mode.READ_ONLY, position, size));
            assertEquals(ByteBuffer.wrap(content, position, size), mapped.buffer());
            mapped.force();
        }
    }

    @Test
    void beyondFourGibibytes() throws Exception {
        long far = (1L << 32) + 77;
        FileHandle sparse = own(FileHandle.open(Sparse.create(directory.resolve("sparse")), StandardOpenOption.READ,
                StandardOpenOption.WRITE));
        sparse.write(Bytes.heap("far"), far);
        MappedFile mapped = own(MappedFile.map(sparse, Mode.READ_ONLY, far, 3));
        assertEquals(Bytes.heap("far"), mapped.buffer());
    }

    @Test
    void viewsAreIndependent() throws Exception {
        MappedFile mapped = own(MappedFile.map(file, Mode.READ_WRITE, 0, 10));
        ByteBuffer view = mapped.buffer().position(5);
        assertNotSame(view, mapped.buffer());
        assertEquals(0, mapped.buffer().position());
        assertEquals(10, mapped.buffer().capacity());
        assertTrue(view.isDirect());
        view.put(5, (byte) 42);
        assertEquals(42, mapped.buffer().get(5));
    }

    @Test
    void partOutsideOfTheFileIsRefused() {
        long[][] parts = {{0, 0}, {0, -1}, {-1, 1}, {SIZE, 1}, {SIZE - 1, 2}, {SIZE + 1, 1}, {0, SIZE + 1},
            {Long.MAX_VALUE, 1}, {1, Integer.MAX_VALUE}};
        for (long[] part : parts) {
            assertThrows(IllegalArgumentException.class,
                    () -> MappedFile.map(file, Mode.READ_ONLY, part[0], (int) part[1]), part[0] + ", " + part[1]);
        }
    }

    @Test
    void fileMustBeWritableForReadWrite() throws Exception {
        FileHandle readOnly = own(FileHandle.open(path));
        SystemCallException e = assertThrows(SystemCallException.class,
                () -> MappedFile.map(readOnly, Mode.READ_WRITE, 0, 1));
        assertEquals("mmap " + path + ": EACCES (permission denied)", e.getMessage());
        own(MappedFile.map(readOnly, Mode.PRIVATE, 0, 1)).buffer().put(0, (byte) 1);
    }

    @Test
    void staysWhenTheFileIsClosed() throws Exception {
        MappedFile mapped = own(MappedFile.map(file, Mode.READ_WRITE, 10, 5));
        file.close();
        mapped.buffer().put(0, (byte) ~content[10]);
        mapped.force();
        assertEquals((byte) ~content[10], Files.readAllBytes(path)[10]);
        assertEquals("mapping of " + path, mapped.toString());
    }

    @ParameterizedTest
    @EnumSource
    @Tag(CalledSystem.NOT_WINDOWS)
    void accessAfterTheCloseDoesNotCrashTheProcess(Mode mode) throws Exception {
        MappedFile mapped = own(MappedFile.map(file, mode, 7, 100));
        ByteBuffer view = mapped.buffer();
        mapped.close();
        mapped.close();
        assertThrows(IllegalStateException.class, mapped::force);
        if (Bindings.current().name().equals("ffm")) {
            assertThrows(IllegalStateException.class, () -> view.get(0));
            assertThrows(IllegalStateException.class, () -> mapped.buffer().get(0));
            assertFalse(Files.readString(Path.of("/proc/self/maps")).contains(path.toString()), "still mapped");
        } else {
            assertEquals(content[7], view.get(0));
        }
    }

    /** The peer does not read, so the write stays in progress as long as the test needs. */
    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void isClosedOnceAChannelHasDoneWithIt() throws Exception {
        assumeTrue(Bindings.current().name().equals("ffm"), "JNA unmaps nothing that can be reached");
        int size = 8 * 1024 * 1024;
        file.truncate(size);
        MappedFile mapped = MappedFile.map(file, Mode.READ_ONLY, 0, size);
        try (ServerSocketChannel server = ServerSocketChannel.open();
             SocketChannel writer = SocketChannel.open()) {
            server.setOption(StandardSocketOptions.SO_RCVBUF, SHRUNK).bind(new InetSocketAddress("127.0.0.1", 0));
            writer.setOption(StandardSocketOptions.SO_SNDBUF, SHRUNK).connect(server.getLocalAddress());
            try (SocketChannel reader = server.accept()) {
                Background<Integer> write = Background.run(() -> {
                    int written = writer.write(mapped.buffer());
                    writer.shutdownOutput();
                    return written;
                });
                ByteBuffer destination = ByteBuffer.allocate(SIZE);
                assertTrue(reader.read(destination) > 0);
                assertThrows(IllegalStateException.class, mapped::close);
                assertEquals(content[7], mapped.buffer().get(7));
                while (reader.read(destination.clear()) >= 0) {
                    Thread.onSpinWait();
                }
                assertEquals(size, write.result());
            }
        }
        mapped.close();
        assertThrows(IllegalStateException.class, () -> mapped.buffer().get(7));
        assertFalse(Files.readString(Path.of("/proc/self/maps")).contains(path.toString()), "still mapped");
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void failuresNameTheCall() throws Exception {
        try (FaultInjection faults = FaultInjection.install();
             FileHandle faulty = FileHandle.open(path)) {
            faults.failNth("mmap", 1, Errno.ENOMEM);
            SystemCallException mmap = assertThrows(SystemCallException.class,
                    () -> MappedFile.map(faulty, Mode.READ_ONLY, 0, 10));
            assertEquals("mmap " + path + ": ENOMEM (out of memory)", mmap.getMessage());
            try (MappedFile mapped = MappedFile.map(faulty, Mode.READ_ONLY, 0, 10)) {
                faults.failNth("msync", 1, Errno.EIO);
                SystemCallException msync = assertThrows(SystemCallException.class, mapped::force);
                assertEquals("msync " + path + ": EIO (input/output error)", msync.getMessage());
            }
        }
    }
}
