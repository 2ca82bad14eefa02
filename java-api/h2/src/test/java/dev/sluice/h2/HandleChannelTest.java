package dev.sluice.h2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.handle.Bytes;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SystemCallException;
import dev.sluice.testing.Depth;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import org.h2.store.fs.FilePath;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The open files of {@link FilePathSluice}. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class HandleChannelTest extends LeakChecked {

    private static final int SIZE = 200_000;

    @TempDir
    Path directory;

    private Path path;
    private FileChannel file;

    @BeforeAll
    static void register() {
        FilePathSluice.register();
    }

    @BeforeEach
    void open() throws IOException {
        path = directory.resolve("file");
        file = open("rw");
    }

    private FileChannel open(String mode) throws IOException {
        return own(FilePath.get("sluice:" + path).open(mode));
    }

    private static ByteBuffer buffer(boolean direct, int size) {
        return direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
    }

    private void fill() throws IOException {
        assertEquals(SIZE, file.write(ByteBuffer.wrap(Bytes.random(SIZE)), 0));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void writesAndReadsAtPositions(boolean direct) throws IOException {
        byte[] content = Bytes.random(SIZE);
        ByteBuffer out = buffer(direct, SIZE + 2).put(1, content).limit(SIZE + 1).position(1);
        assertEquals(SIZE, file.write(out, 10));
        assertEquals(SIZE + 1, out.position());
        assertEquals(0, file.write(out, 0));
        assertEquals(SIZE + 10, file.size());
        assertEquals(0, file.position());
        ByteBuffer in = buffer(direct, SIZE + 100);
        assertEquals(SIZE + 10, file.read(in, 0));
        assertArrayEquals(new byte[10], Bytes.before(in.duplicate().position(10)));
        assertEquals(ByteBuffer.wrap(content), in.flip().position(10));
        assertEquals(-1, file.read(buffer(direct, 1), SIZE + 10));
        assertEquals(0, file.read(buffer(direct, 0), 0));
        assertThrows(IllegalArgumentException.class, () -> file.read(buffer(direct, 1), -1));
        assertThrows(IllegalArgumentException.class, () -> file.write(buffer(direct, 1), -1));
        assertThrows(IllegalArgumentException.class, () -> file.read(buffer(direct, 1).asReadOnlyBuffer(), 0));
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shortCallsAreContinued() throws IOException {
        byte[] content = Bytes.random(SIZE);
        try (FaultInjection faults = FaultInjection.install(); FileChannel there = open("rw")) {
            faults.shortenEach("pwrite", 30_000).shortenEach("pread", 7_000).shortenEach("pwritev", 11_000)
                    .shortenEach("preadv", 13_000);
            assertEquals(SIZE, there.write(ByteBuffer.wrap(content), 5));
            assertTrue(faults.calls("pwrite") > 6);
            ByteBuffer in = ByteBuffer.allocate(SIZE);
            assertEquals(SIZE, there.read(in, 5));
            assertArrayEquals(content, in.array());
            ByteBuffer[] parts = {ByteBuffer.wrap(content, 0, 100_000), ByteBuffer.allocate(0),
                Bytes.direct(content).position(100_000)};
            assertEquals(SIZE, there.write(parts, 0, 3));
            assertEquals(SIZE, there.position());
            ByteBuffer[] back = {ByteBuffer.allocateDirect(50_000), ByteBuffer.allocate(SIZE)};
            assertEquals(SIZE + 5, there.position(0).read(back));
            assertEquals(ByteBuffer.wrap(content, 0, 50_000), back[0].flip());
            assertEquals(ByteBuffer.wrap(content, 50_000, 150_000), back[1].flip().limit(150_000));
            assertEquals(SIZE + 5, there.position());
            assertEquals(-1, there.read(back[0].clear()));
            assertEquals(-1, there.read(new ByteBuffer[] {back[0]}));
            assertThrows(IndexOutOfBoundsException.class, () -> there.read(back, 1, 2));
            assertThrows(IndexOutOfBoundsException.class, () -> there.write(back, 1, 2));
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void writeWithoutProgressFails() throws IOException {
        try (FaultInjection faults = FaultInjection.install(); FileChannel there = open("rw")) {
            faults.returnNth("pwrite", 1, 0).returnNth("pwritev", 1, 0);
            IOException e = assertThrows(IOException.class, () -> there.write(ByteBuffer.allocate(10), 0));
            assertEquals("sluice:" + path + ": the system has written none of the last 10 bytes", e.getMessage());
            assertThrows(IOException.class, () -> there.write(new ByteBuffer[] {ByteBuffer.allocate(1),
                ByteBuffer.allocate(1)}));
        }
    }

    /** The same random calls on a channel of the JDK have the same results. */
    @Test
    void behavesAsAChannelOfTheJdk() throws IOException {
        Path other = directory.resolve("other");
        FileChannel jdk = own(FileChannel.open(other, StandardOpenOption.READ, StandardOpenOption.WRITE,
                StandardOpenOption.CREATE));
        Random random = new Random(40);
        for (int i = 0; i < Depth.times(100, 300, 20_000); i++) {
            long seed = random.nextLong();
            assertEquals(call(jdk, new Random(seed)), call(file, new Random(seed)), "call " + i);
            assertEquals(jdk.position(), file.position());
        }
        assertArrayEquals(Files.readAllBytes(other), Files.readAllBytes(path));
    }

    private static List<Object> call(FileChannel file, Random random) throws IOException {
        ByteBuffer buffer = buffer(random.nextBoolean(), 1 + random.nextInt(500));
        buffer.position(random.nextInt(buffer.capacity()));
        ByteBuffer second = ByteBuffer.allocate(random.nextInt(100));
        long position = random.nextInt(3_000);
        fill(random, buffer);
        fill(random, second);
        Object result = switch (random.nextInt(11)) {
            case 0 -> file.read(buffer);
            case 1 -> file.read(buffer, position);
            case 2 -> file.write(buffer);
            case 3 -> file.write(buffer, position);
            case 4 -> file.read(new ByteBuffer[] {buffer, second});
            case 5 -> file.write(new ByteBuffer[] {buffer, second});
            case 6 -> file.position(position).position();
            case 7 -> file.truncate(position).size();
            case 8 -> file.size();
            // Beyond the end, the JDK transfers nothing before Java 21.
            case 9 -> file.transferFrom(Channels.newChannel(new ByteArrayInputStream(new byte[400])),
                    Math.min(position, file.size()), random.nextInt(500));
            default -> {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                yield List.of(file.transferTo(position, random.nextInt(500), Channels.newChannel(out)),
                        ByteBuffer.wrap(out.toByteArray()));
            }
        };
        return List.of(result, buffer.position(), second.position(), buffer.clear(), second.clear());
    }

    private static void fill(Random random, ByteBuffer buffer) {
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, (byte) random.nextInt());
        }
    }

    @Test
    void transfersMoreThanAPart() throws IOException {
        fill();
        FileChannel copy = own(FilePath.get("sluice:" + directory.resolve("copy")).open("rw"));
        assertEquals(SIZE - 7, file.transferTo(7, Long.MAX_VALUE, copy));
        assertEquals(SIZE - 7, copy.position());
        copy.position(0);
        assertEquals(SIZE - 7, file.transferFrom(copy, 7, Long.MAX_VALUE));
        ByteBuffer in = ByteBuffer.allocate(SIZE);
        assertEquals(SIZE, file.read(in, 0));
        assertArrayEquals(Bytes.random(SIZE), in.array());
        assertEquals(1, file.transferFrom(copy.position(0), SIZE + 10, 1));
        assertEquals(SIZE + 11, file.size());
        for (Executable call : List.<Executable>of(() -> file.transferTo(-1, 1, copy),
                () -> file.transferTo(0, -1, copy), () -> file.transferFrom(copy, -1, 1),
                () -> file.transferFrom(copy, 0, -1), () -> file.truncate(-1), () -> file.position(-1))) {
            assertThrows(IllegalArgumentException.class, call);
        }
    }

    /** A target that takes some bytes and no more, as one that does not wait. */
    @Test
    void transferEndsWithWhatTheTargetTakes() throws IOException {
        fill();
        WritableByteChannel full = new WritableByteChannel() {
            private int space = 70_000;

            @Override
            public int write(ByteBuffer source) {
                int taken = Math.min(space, source.remaining());
                space -= taken;
                source.position(source.position() + taken);
                return taken;
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() {
            }
        };
        assertEquals(70_000, file.transferTo(0, SIZE, full));
        assertEquals(0, file.transferTo(0, SIZE, full));
    }

    @Test
    void channelForReadingRefusesWrites() throws IOException {
        fill();
        FileChannel reading = open("r");
        for (Executable call : List.<Executable>of(() -> reading.write(ByteBuffer.allocate(1)),
                () -> reading.write(ByteBuffer.allocate(1), 0),
                () -> reading.write(new ByteBuffer[] {ByteBuffer.allocate(1)}), () -> reading.truncate(0),
                () -> reading.transferFrom(file, 0, 1), reading::tryLock, reading::lock)) {
            assertThrows(NonWritableChannelException.class, call);
        }
        reading.force(true);
        assertEquals(SIZE, reading.size());
        assertEquals(1, reading.read(ByteBuffer.allocate(1)));
    }

    @Test
    void missingFileIsNamed() {
        SystemCallException e = assertThrows(SystemCallException.class,
                () -> FilePath.get("sluice:" + directory.resolve("missing")).open("r").close());
        assertEquals("ENOENT", e.errorName());
        assertTrue(e.getMessage().contains(directory.resolve("missing").toString()), e.getMessage());
        assertThrows(IllegalArgumentException.class, () -> open("w"));
    }

    @Test
    void isNotMapped() {
        assertThrows(UnsupportedOperationException.class, () -> file.map(FileChannel.MapMode.READ_ONLY, 0, 1));
    }

    /** The JDK closes a channel for all threads when one of them is interrupted. */
    @Test
    void interruptEndsNoCallAndClosesNothing() throws Exception {
        fill();
        FileChannel jdk = own(FileChannel.open(path, StandardOpenOption.READ));
        Thread.currentThread().interrupt();
        assertThrows(ClosedByInterruptException.class, () -> jdk.read(ByteBuffer.allocate(10), 0));
        assertFalse(jdk.isOpen());
        ByteBuffer in = ByteBuffer.allocate(SIZE);
        assertEquals(SIZE, file.read(in, 0));
        assertEquals(10, file.write(ByteBuffer.allocate(10)));
        file.force(true);
        file.truncate(10);
        file.lock().release();
        assertEquals(10, file.size());
        assertTrue(Thread.interrupted());
        assertTrue(file.isOpen());
        assertArrayEquals(Bytes.random(SIZE), in.array());
    }
}
