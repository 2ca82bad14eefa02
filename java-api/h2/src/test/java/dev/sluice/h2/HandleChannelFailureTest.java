package dev.sluice.h2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.SystemCallException;
import dev.sluice.testing.Depth;
import dev.sluice.testing.Pause;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.h2.store.fs.FilePath;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Open files of {@link FilePathSluice} that several threads use, that are closed, and whose disk fails. */
@Tag(Depth.IN_QUICK)
class HandleChannelFailureTest extends LeakChecked {

    private static final int SIZE = 200_000;
    private static final int LIMIT_SECONDS = 60;

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

    private static <T> FutureTask<T> start(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        new Thread(task, "thread of a test").start();
        return task;
    }

    private static <T> T result(FutureTask<T> task) throws Exception {
        return task.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void threadsReadConcurrently() throws Exception {
        fill();
        ByteBuffer content = ByteBuffer.wrap(Bytes.random(SIZE));
        int threads = 3;
        CountDownLatch reading = new CountDownLatch(threads);
        try (FaultInjection faults = FaultInjection.install(); FileChannel there = open("r")) {
            // No read ends before each thread is in one.
            faults.before("pread", () -> {
                reading.countDown();
                try {
                    assertTrue(reading.await(LIMIT_SECONDS, TimeUnit.SECONDS));
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            List<FutureTask<Void>> tasks = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                Random random = new Random(t);
                boolean direct = t == 0;
                tasks.add(start(() -> {
                    for (int i = 0; i < 50; i++) {
                        int position = random.nextInt(SIZE - 5_000);
                        ByteBuffer in = buffer(direct, 1 + random.nextInt(5_000));
                        assertEquals(in.capacity(), there.read(in, position));
                        assertEquals(content.slice(position, in.capacity()), in.flip());
                    }
                    return null;
                }));
            }
            for (FutureTask<Void> task : tasks) {
                result(task);
            }
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void readInFlightOutlivesTheClose() throws Exception {
        fill();
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        try (FaultInjection faults = FaultInjection.install()) {
            FileChannel there = open("rw");
            assertNotNull(there.tryLock());
            faults.beforeNth("pread", 1, () -> {
                arrived.countDown();
                try {
                    assertTrue(closed.await(LIMIT_SECONDS, TimeUnit.SECONDS));
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            ByteBuffer in = ByteBuffer.allocate(100);
            FutureTask<Integer> read = start(() -> there.read(in, 0));
            assertTrue(arrived.await(LIMIT_SECONDS, TimeUnit.SECONDS));
            there.close();
            assertFalse(there.isOpen());
            // Although the descriptor is still in use.
            assertNotNull(file.tryLock());
            closed.countDown();
            assertEquals(100, result(read));
            assertEquals(ByteBuffer.wrap(Bytes.random(SIZE), 0, 100), in.flip());
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void readThatWouldContinueAfterTheCloseFails() throws Exception {
        fill();
        try (FaultInjection faults = FaultInjection.install()) {
            FileChannel there = open("rw");
            faults.beforeNth("pread", 1, () -> {
                try {
                    there.close();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            AsynchronousCloseException e = assertThrows(AsynchronousCloseException.class,
                    () -> there.read(ByteBuffer.allocate(SIZE), 0));
            assertInstanceOf(HandleClosedException.class, e.getCause());
        }
    }

    @Test
    void closedChannelRefusesAll() throws IOException {
        fill();
        FileChannel other = open("rw");
        file.close();
        file.close();
        ByteBuffer buffer = ByteBuffer.allocate(1);
        for (Executable call : List.<Executable>of(() -> file.read(buffer), () -> file.read(buffer, 0),
                () -> file.read(new ByteBuffer[] {buffer}), () -> file.write(buffer), () -> file.write(buffer, 0),
                () -> file.write(new ByteBuffer[] {buffer}), file::size, file::position, () -> file.position(0),
                () -> file.truncate(0), () -> file.force(false), file::tryLock, file::lock,
                () -> file.transferTo(0, 1, other), () -> file.transferFrom(other, 0, 1),
                () -> other.transferTo(0, 1, file), () -> other.transferFrom(file, 0, 1))) {
            assertThrows(ClosedChannelException.class, call);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void fullDiskIsNamed() throws IOException {
        path = Path.of("/dev/full");
        FileChannel full = open("rw");
        SystemCallException e = assertThrows(SystemCallException.class, () -> full.write(ByteBuffer.allocate(1), 0));
        assertEquals("ENOSPC", e.errorName());
        assertTrue(e.getMessage().startsWith("pwrite ") && e.getMessage().contains("/dev/full"), e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @EnabledOnOs(OS.LINUX)
    void nothingIsClaimedAfterAFailedForce(boolean metaData) throws IOException {
        fill();
        try (FaultInjection faults = FaultInjection.install(); FileChannel there = open("rw")) {
            faults.failNth(metaData ? "fsync" : "fdatasync", 1, Errno.EIO);
            assertEquals(1, there.write(ByteBuffer.allocate(1), 0));
            SystemCallException first = assertThrows(SystemCallException.class, () -> there.force(metaData));
            assertEquals("EIO", first.errorName());
            assertRefused(first, there);
            // What can be read is not lost.
            assertEquals(SIZE, there.size());
            assertEquals(1, there.read(ByteBuffer.allocate(1), 0));
        }
    }

    private static void assertRefused(Throwable first, FileChannel there) {
        for (Executable call : List.<Executable>of(() -> there.force(true), () -> there.force(false),
                () -> there.write(ByteBuffer.allocate(1)), () -> there.write(ByteBuffer.allocate(1), 0),
                () -> there.write(new ByteBuffer[] {ByteBuffer.allocate(1)}), () -> there.truncate(1),
                () -> there.transferFrom(Channels.newChannel(new ByteArrayInputStream(new byte[1])), 0, 1))) {
            IOException refusal = assertThrows(IOException.class, call);
            assertSame(first, refusal.getCause());
            assertTrue(refusal.getMessage().contains("could not be made durable"), refusal.getMessage());
        }
    }

    /** Of forces that run concurrently, the system reports a failure to one. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void forcesRunOneAtATime() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        try (FaultInjection faults = FaultInjection.install(); FileChannel there = open("rw")) {
            faults.beforeNth("fsync", 1, () -> {
                arrived.countDown();
                try {
                    assertTrue(end.await(LIMIT_SECONDS, TimeUnit.SECONDS));
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            Callable<Void> force = () -> {
                there.force(true);
                return null;
            };
            FutureTask<Void> first = start(force);
            assertTrue(arrived.await(LIMIT_SECONDS, TimeUnit.SECONDS));
            FutureTask<Void> second = new FutureTask<>(force);
            Thread waiting = new Thread(second, "waits for a force");
            waiting.start();
            Pause pause = new Pause();
            while (waiting.getState() != Thread.State.WAITING) {
                assertTrue(waiting.isAlive());
                pause.next();
            }
            // A write waits for no force.
            assertEquals(1, there.write(ByteBuffer.allocate(1), 0));
            assertEquals(1, faults.calls("fsync"));
            end.countDown();
            result(first);
            result(second);
            assertEquals(2, faults.calls("fsync"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rws", "rwd"})
    @DisabledOnOs(OS.WINDOWS)
    void failedWriteThroughIsAFailedForce(String mode) throws IOException {
        fill();
        try (FaultInjection faults = FaultInjection.install(); FileChannel there = open(mode)) {
            assertEquals(1, there.write(ByteBuffer.allocate(1), 0));
            assertThrows(IllegalArgumentException.class, () -> there.write(ByteBuffer.allocate(1), -1));
            faults.failNth("pwrite", 1, Errno.EIO);
            assertRefused(assertThrows(SystemCallException.class, () -> there.write(ByteBuffer.allocate(1), 0)), there);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void failedWriteIsRepeated() throws IOException {
        try (FaultInjection faults = FaultInjection.install(); FileChannel there = open("rw")) {
            faults.failNth("pwrite", 2, Errno.ENOSPC);
            ByteBuffer out = ByteBuffer.wrap(Bytes.random(SIZE));
            SystemCallException e = assertThrows(SystemCallException.class, () -> there.write(out));
            assertEquals("ENOSPC", e.errorName());
            assertEquals(out.position(), there.position());
            assertTrue(out.position() > 0);
            assertEquals(SIZE - out.position(), there.write(out));
            there.force(true);
        }
        assertArrayEquals(Bytes.random(SIZE), Files.readAllBytes(path));
    }
}
