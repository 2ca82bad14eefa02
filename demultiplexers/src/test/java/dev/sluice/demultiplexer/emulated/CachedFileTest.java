package dev.sluice.demultiplexer.emulated;

import static dev.sluice.handle.Bytes.assertBytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.Iovec;
import dev.sluice.calls.layout.LinuxFileConstants;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.spi.Descriptors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which transfers of a file the loop thread makes itself, because the system's cache serves them. */
@ParameterizedClass
@ValueSource(strings = {"epoll", "epoll-one-shot"})
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class CachedFileTest extends LeakChecked {

    private static final long PATIENCE = Duration.ofSeconds(30).toNanos();
    private static final int SIZE = 40_000;
    /** More than is copied in one iteration. */
    private static final int LARGE = 1 << 20;

    private final byte[] content = Bytes.random(SIZE);
    private final ConcurrentLinkedQueue<Thread> callers = new ConcurrentLinkedQueue<>();

    @TempDir
    private Path directory;
    @Parameter
    private String name;

    private FaultInjection faults;
    private AsynchronousEventDemultiplexer emulation;
    private Completions completions;
    private Path path;
    private FileHandle file;
    private Association where;

    @BeforeEach
    void open() throws IOException {
        path = Files.write(directory.resolve("file"), content);
        faults = own(FaultInjection.install());
        emulation = own(OpenedDemultiplexers.openAsynchronous(name));
        completions = own(emulation.newCompletions(8));
        file = own(FileHandle.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE));
        where = emulation.associate(file.handle());
        for (String call : List.of("pread", "pwrite")) {
            faults.before(call, () -> callers.add(Thread.currentThread()));
        }
    }

    private long result(Consumer<Operation> start) throws IOException {
        Operation operation = emulation.newOperation();
        start.accept(operation);
        assertTrue(operation.isInFlight(), "completed within its start");
        assertEquals(1, emulation.awaitCompletions(completions, PATIENCE));
        return completions.result(0);
    }

    private void assertRead(int from, int count) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(count);
        int begin = Math.min(from, SIZE);
        int end = Math.min(from + count, SIZE);
        assertEquals(end - begin, result(o -> o.read(where, buffer, from)));
        assertBytes(Arrays.copyOfRange(content, begin, end), Bytes.before(buffer));
    }

    /** {@return the number of ordinary calls that have not been made by the loop thread} */
    private int callsOfThreads() {
        return (int) callers.stream().filter(thread -> thread != Thread.currentThread()).count();
    }

    /** {@return whether the file system of the test takes the flag, which tmpfs and overlay do not} */
    private boolean takesFlag() throws IOException {
        try (MemoryBlock memory = Bindings.current().memory().allocate(Iovec.SIZE + 1)) {
            Iovec.set(memory.buffer(), 0, memory.address() + Iovec.SIZE, 1);
            int fd = (int) Descriptors.of(file.handle()).acquire();
            try {
                return Bindings.current().linux().preadv2(fd, memory.address(), 1, 0, LinuxFileConstants.RWF_NOWAIT)
                        == 1;
            } finally {
                Descriptors.of(file.handle()).release();
            }
        }
    }

    // Reads

    @Test
    void cachedReadNeedsNoThread() throws IOException {
        int calls = takesFlag() ? 0 : 3;
        assertRead(0, 4096);
        assertRead(100, 1);
        assertRead(SIZE - 10, 10);
        assertEquals(calls, faults.calls("pread"));
    }

    @Test
    void readAtTheEndNeedsNoThread() throws IOException {
        int calls = takesFlag() ? 0 : 3;
        assertRead(SIZE - 1, 100);
        assertRead(SIZE, 100);
        assertRead(SIZE + 1, 100);
        assertEquals(calls, faults.calls("pread"));
    }

    @Test
    void severalBuffersAreReadWithOneCall() throws IOException {
        boolean takesFlag = takesFlag();
        int before = faults.calls("preadv2");
        ByteBuffer[] buffers = {ByteBuffer.allocateDirect(10), ByteBuffer.allocate(20)};
        assertEquals(30, result(o -> o.read(where, buffers, 0, 2, 5)));
        assertBytes(Arrays.copyOfRange(content, 5, 15), Bytes.before(buffers[0]));
        assertBytes(Arrays.copyOfRange(content, 15, 35), Bytes.before(buffers[1]));
        assertEquals(before + 1, faults.calls("preadv2"));
        assertEquals(takesFlag ? 0 : 1, faults.calls("preadv"));
    }

    @Test
    void whatHasBeenEvictedIsRead() throws IOException {
        file.force();
        file.evict(0, SIZE);
        assertRead(0, SIZE);
        file.evict(0, SIZE);
        assertRead(SIZE - 5000, 6000);
    }

    /** Some kernels report an error with the flag where nothing is wrong. */
    @ParameterizedTest
    @EnumSource(names = {"EAGAIN", "EIO", "ENOMEM"})
    void readThatFailsWithTheFlagIsMadeByAThread(Errno error) throws IOException {
        faults.failEach("preadv2", error);
        assertRead(7, 100);
        assertRead(8, 100);
        assertEquals(2, faults.calls("preadv2"));
        assertEquals(2, callsOfThreads());
    }

    @ParameterizedTest
    @EnumSource(names = {"EOPNOTSUPP", "ENOSYS", "EPERM", "EINVAL"})
    void flagThatIsRefusedIsNotTriedAgain(Errno error) throws IOException {
        faults.failEach("preadv2", error).failNth("fcntl", 2, Errno.EINVAL);
        for (int i = 0; i < 3; i++) {
            assertRead(i, 10);
        }
        assertEquals(1, faults.calls("preadv2"));
        assertEquals(3, callsOfThreads());
    }

    /** A file in memory, whose seals the system reports, never waits for a disk. */
    @Test
    void fileInMemoryIsReadByAnOrdinaryCall() throws IOException {
        faults.failEach("preadv2", Errno.EOPNOTSUPP);
        faults.returnNth("fcntl", 2, 1);
        assertRead(7, 100);
        assertRead(8, 100);
        assertEquals(2, faults.calls("pread"));
        assertEquals(0, callsOfThreads());
    }

    /** At the edge of what is cached, the system returns fewer bytes. */
    @Test
    void readThatIsShortIsRepeatedByAThread() throws IOException {
        faults.shortenNth("preadv2", 1, 10);
        assertRead(7, 100);
        assertEquals(1, callsOfThreads());
    }

    /** Linux 5.9 and 5.10 may return 0 where the cache ends (preadv2(2), "BUGS"). */
    @Test
    void readOfNothingIsNotTakenForTheEnd() throws IOException {
        faults.returnNth("preadv2", 1, 0);
        assertRead(7, 100);
        assertEquals(1, callsOfThreads());
    }

    @Test
    void interruptedReadIsRepeated() throws IOException {
        boolean takesFlag = takesFlag();
        faults.failNth("preadv2", 1, Errno.EINTR);
        assertRead(7, 100);
        assertEquals(takesFlag ? 0 : 1, faults.calls("pread"));
    }

    @Test
    void readBeyondTheBoundIsMadeByAThread() throws IOException {
        Files.write(path, new byte[LARGE + 1]);
        ByteBuffer buffer = ByteBuffer.allocateDirect(LARGE + 1);
        assertEquals(LARGE + 1, result(o -> o.read(where, buffer, 0)));
        assertEquals(1, callsOfThreads());
        assertEquals(0, faults.calls("preadv2"));
    }

    /** {@code /proc} generates content, a directory has none, and a FIFO has no positions. */
    @Test
    void specialFilesAreReadOrFail() throws Exception {
        Association proc = emulation.associate(own(FileHandle.open(Path.of("/proc/self/status"))).handle());
        ByteBuffer buffer = ByteBuffer.allocateDirect(5);
        assertEquals(5, result(o -> o.read(proc, buffer, 0)));
        assertEquals("Name:", Bytes.text(buffer));
        assertEquals(0, result(o -> o.read(proc, ByteBuffer.allocateDirect(5), LARGE)));
        Association folder = emulation.associate(own(FileHandle.open(directory)).handle());
        assertEquals(-Errno.EISDIR.number(), result(o -> o.read(folder, ByteBuffer.allocateDirect(5), 0)));
        Path fifo = directory.resolve("fifo");
        assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).inheritIO().start().waitFor());
        Association pipe = emulation.associate(
                own(FileHandle.open(fifo, StandardOpenOption.READ, StandardOpenOption.WRITE)).handle());
        assertEquals(-Errno.ESPIPE.number(), result(o -> o.read(pipe, ByteBuffer.allocateDirect(5), 0)));
        assertEquals(-Errno.ESPIPE.number(), result(o -> o.write(pipe, ByteBuffer.allocateDirect(5), 0)));
    }

    // Writes

    private void assertWritten(int at, int count) throws IOException {
        byte[] written = new byte[count];
        Arrays.fill(written, (byte) at);
        assertEquals(count, result(o -> o.write(where, Bytes.direct(written), at)));
        System.arraycopy(written, 0, content, at, count);
        assertBytes(content, Files.readAllBytes(path));
    }

    /** Where several threads run the loop, none of them makes a call that may wait while the others cannot enter. */
    @Test
    void ordinaryWriteIsMadeByTheOnlyLoopThread() throws IOException {
        faults.failEach("pwritev2", Errno.EOPNOTSUPP);
        assertWritten(100, 4096);
        assertWritten(5, 10);
        assertEquals(1, faults.calls("pwritev2"));
        assertEquals(2, faults.calls("pwrite"));
        boolean single = name.equals("epoll");
        assertEquals(single ? 0 : 2, callsOfThreads());
    }

    /** As on a file system that takes the flag. */
    @Test
    void writeThatNeedNotWaitIsOneCall() throws IOException {
        faults.returnNth("pwritev2", 1, 10);
        ByteBuffer source = ByteBuffer.allocateDirect(10);
        assertEquals(10, result(o -> o.write(where, source, 0)));
        assertEquals(0, source.remaining());
        assertEquals(0, faults.calls("pwrite"));
        assertBytes(content, Files.readAllBytes(path));
    }

    /** The rest of a write, which the cache does not take without waiting. */
    @Test
    void writeThatIsShortIsContinued() throws IOException {
        faults.returnNth("pwritev2", 1, 10).failNth("pwritev2", 2, Errno.EAGAIN);
        byte[] written = Bytes.random(30, 7);
        assertEquals(30, result(o -> o.write(where, Bytes.direct(written), 0)));
        System.arraycopy(written, 10, content, 10, 20);
        assertBytes(content, Files.readAllBytes(path));
        assertEquals(1, callsOfThreads());
    }

    @ParameterizedTest
    @CsvSource({"DSYNC", "SYNC"})
    void synchronousWriteIsMadeByAThread(StandardOpenOption option) throws IOException {
        Association durable = emulation.associate(
                own(FileHandle.open(path, StandardOpenOption.WRITE, option)).handle());
        assertEquals(10, result(o -> o.write(durable, ByteBuffer.allocateDirect(10), 0)));
        assertEquals(1, callsOfThreads());
        assertEquals(0, faults.calls("pwritev2"));
    }

    @Test
    void writeWithAPriorityIsMadeByAThread() throws IOException {
        where.prioritize(1);
        assertWritten(0, 10);
        assertEquals(1, callsOfThreads());
    }

    @Test
    void severalBuffersAreAppendedInOneWrite() throws IOException {
        FileHandle appending = own(FileHandle.open(path, StandardOpenOption.APPEND));
        Association end = emulation.associate(appending.handle());
        ByteBuffer[] sources = {Bytes.direct(new byte[] {1, 2}), ByteBuffer.wrap(new byte[] {3})};
        assertEquals(3, result(o -> o.write(end, sources, 0, 2, 0)));
        byte[] expected = Arrays.copyOf(content, SIZE + 3);
        System.arraycopy(new byte[] {1, 2, 3}, 0, expected, SIZE, 3);
        assertBytes(expected, Files.readAllBytes(path));
    }

    /** As while the kernel writes dirty pages back. Where several threads run the loop, threads make all of them. */
    @Test
    void afterSlowWritesThreadsMakeTheNextOnes() throws IOException {
        faults.heal();
        faults.failEach("pwritev2", Errno.EOPNOTSUPP);
        Runnable slow = () -> {
            callers.add(Thread.currentThread());
            sleepFor(Duration.ofMillis(3));
        };
        faults.beforeNth("pwrite", 1, slow);
        faults.beforeNth("pwrite", 2, slow);
        faults.before("pwrite", () -> callers.add(Thread.currentThread()));
        int onLoop = name.equals("epoll") ? 1 : 0;
        write(2);
        assertEquals(2 - 2 * onLoop, callsOfThreads());
        write(16);
        assertEquals(18 - 2 * onLoop, callsOfThreads());
        write(1);
        assertEquals(19 - 3 * onLoop, callsOfThreads());
    }

    private void write(int times) throws IOException {
        for (int i = 0; i < times; i++) {
            result(o -> o.write(where, ByteBuffer.allocateDirect(1), 0));
        }
    }

    private static void sleepFor(Duration duration) {
        try {
            Thread.sleep(duration.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // The end

    /** Some of which a thread has, and others the queue. */
    @Test
    void closeEndsTransfersInFlight() throws IOException {
        faults.failEach("preadv2", Errno.EAGAIN);
        AsynchronousEventDemultiplexer other = OpenedDemultiplexers.openAsynchronous(name);
        int[] rest = new int[1];
        try {
            Association there = other.associate(own(FileHandle.open(path)).handle());
            for (int i = 0; i < 200; i++) {
                other.newOperation().read(there, ByteBuffer.allocateDirect(100), i);
                if (i == 100) {
                    try (Completions none = other.newCompletions(1)) {
                        rest[0] += other.awaitCompletions(none, 0);
                    }
                }
            }
        } finally {
            other.close(completion -> rest[0]++);
        }
        assertEquals(200, rest[0]);
        assertEquals(0, other.inFlight());
    }
}
