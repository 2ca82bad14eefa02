package dev.sluice.handle;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.calls.Platform.Os;
import dev.sluice.demultiplexer.CalledSystem;
import dev.sluice.testing.Depth;
import dev.sluice.testing.Pause;
import dev.sluice.testing.WineDifference;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Space, cache, locks and copies of ranges of files. */
@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
class FileRangesTest extends LeakChecked {

    private static final int BLOCK = 4096;
    private static final long FAR = 5L << 30;

    @TempDir
    Path directory;

    private Path path;
    private FileHandle file;

    @BeforeEach
    void open() throws Exception {
        path = directory.resolve("file");
        file = own(FileHandle.open(path, READ, WRITE, CREATE));
    }

    private static void assertFails(Errno error, Executable call) {
        SystemCallException e = assertThrows(SystemCallException.class, call);
        assertEquals(error, e.error(), e.getMessage());
    }

    @Test
    @DisabledOnOs(value = OS.OPENBSD, disabledReason = "the system has no such call")
    void spaceIsReserved() throws Exception {
        WineDifference.LACKS_ALLOCATION.assumeAbsent();
        file.write(Bytes.heap("content"), 0);
        file.allocate(0, 16 * BLOCK);
        assertEquals(16 * BLOCK, file.size());
        ByteBuffer in = ByteBuffer.allocate(8);
        assertEquals(8, file.read(in, 0));
        assertArrayEquals(new byte[] {'c', 'o', 'n', 't', 'e', 'n', 't', 0}, in.array());
        file.allocate(0, 1);
        assertEquals(16 * BLOCK, file.size());
        FileHandle readOnly = own(FileHandle.open(path));
        assertThrows(SystemCallException.class, () -> readOnly.allocate(0, 17 * BLOCK));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void spaceIsFreed() throws Exception {
        file.write(ByteBuffer.wrap(Bytes.random(8 * BLOCK)), 0);
        file.force();
        long before = file.allocatedSize();
        assertTrue(before >= 8 * BLOCK, () -> String.valueOf(before));
        file.punchHole(BLOCK, 4 * BLOCK);
        assertEquals(8 * BLOCK, file.size());
        assertTrue(file.allocatedSize() < before);
        ByteBuffer in = ByteBuffer.allocate(BLOCK);
        assertEquals(BLOCK, file.read(in, BLOCK));
        assertArrayEquals(new byte[BLOCK], in.array());
    }

    /** The length and what is beside the range stay. */
    @Test
    @DisabledOnOs(value = OS.OPENBSD, disabledReason = "the system has no such call")
    void aHoleReadsAsZeros() throws Exception {
        WineDifference.LACKS_HOLES.assumeAbsent();
        byte[] bytes = Bytes.random(4 * BLOCK);
        file.write(ByteBuffer.wrap(bytes), 0);
        file.punchHole(10, 2 * BLOCK);
        file.punchHole(4 * BLOCK - 1, BLOCK);
        file.punchHole(5 * BLOCK, BLOCK);
        Arrays.fill(bytes, 10, 10 + 2 * BLOCK, (byte) 0);
        bytes[4 * BLOCK - 1] = 0;
        assertArrayEquals(bytes, Files.readAllBytes(path));
        FileHandle readOnly = own(FileHandle.open(path));
        assertThrows(SystemCallException.class, () -> readOnly.punchHole(0, 1));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void theCacheIsAdvised() throws Exception {
        file.write(ByteBuffer.wrap(Bytes.random(8 * BLOCK)), 0);
        file.writeBack(0, 8 * BLOCK);
        file.evict(0, 8 * BLOCK);
        file.prefetch(0, Long.MAX_VALUE);
        FileHandle none = own(FileHandle.open(Path.of("/dev/null")));
        assertFails(Errno.ESPIPE, () -> none.writeBack(0, 1));
        try (FaultInjection faults = FaultInjection.install(); FileHandle faulty = FileHandle.open(path, WRITE)) {
            faults.failNth("posix_fadvise", 1, Errno.EINTR).failNth("posix_fadvise", 2, Errno.EIO);
            assertFails(Errno.EIO, () -> faulty.prefetch(0, 1));
            faults.failNth("sync_file_range", 1, Errno.EIO).failNth("fallocate", 1, Errno.ENOSPC);
            assertFails(Errno.EIO, () -> faulty.writeBack(0, 1));
            assertFails(Errno.ENOSPC, () -> faulty.allocate(0, 1));
        }
    }

    @Test
    void whatIsNoRangeIsRefused() {
        for (long[] range : new long[][] {{-1, 1}, {0, 0}, {0, -1}, {2, Long.MAX_VALUE - 1}}) {
            for (Executable call : List.<Executable>of(() -> file.allocate(range[0], range[1]),
                    () -> file.punchHole(range[0], range[1]), () -> file.prefetch(range[0], range[1]),
                    () -> file.evict(range[0], range[1]), () -> file.writeBack(range[0], range[1]),
                    () -> file.lock(range[0], range[1], true).close(),
                    () -> assertNull(file.tryLock(range[0], range[1], true)))) {
                assertThrows(IllegalArgumentException.class, call);
            }
        }
        assertThrows(IllegalArgumentException.class, () -> file.allocate(2, Long.MAX_VALUE));
        assertThrows(IllegalArgumentException.class, () -> file.writeBack(2, Long.MAX_VALUE));
        assertThrows(IllegalArgumentException.class, () -> file.copyTo(0, -1, file, 0));
        assertThrows(IllegalArgumentException.class, () -> file.copyTo(-1, 1, file, 0));
        assertThrows(IllegalArgumentException.class, () -> file.copyTo(0, 1, file, -1));
    }

    @Test
    @EnabledOnOs(value = {OS.LINUX, OS.MAC, OS.WINDOWS}, disabledReason = "the system locks whole files only")
    void aLockKeepsOthersOut() throws Exception {
        FileHandle other = own(FileHandle.open(path, READ, WRITE));
        try (Closeable lock = file.lock(FAR, 10, false)) {
            assertTrue(lock.toString().contains("10 bytes from position " + FAR), lock::toString);
            assertNull(other.tryLock(FAR + 9, 1, true));
            assertNull(other.tryLock(0, Long.MAX_VALUE, true));
            own(assertLocked(other.tryLock(FAR + 10, 5, false)));
        }
        Closeable shared = own(file.lock(0, 10, true));
        own(assertLocked(other.tryLock(5, 10, true)));
        assertNull(other.tryLock(0, 1, false));
        shared.close();
        assertLocked(other.tryLock(0, 1, false)).close();
    }

    private static Closeable assertLocked(Closeable lock) {
        assertNotNull(lock);
        return lock;
    }

    @Test
    @EnabledOnOs(value = {OS.LINUX, OS.MAC, OS.WINDOWS}, disabledReason = "the system locks whole files only")
    void aLockIsAwaited() throws Exception {
        FileHandle other = own(FileHandle.open(path, READ, WRITE));
        Closeable lock = file.lock(0, Long.MAX_VALUE, false);
        FutureTask<Void> waiting = new FutureTask<>(() -> {
            other.lock(0, 1, false).close();
            return null;
        });
        Thread thread = new Thread(waiting, "waits for a lock");
        thread.start();
        assertFalse(waiting.isDone());
        lock.close();
        waiting.get();
        thread.join();
    }

    @Test
    @EnabledOnOs(value = {OS.LINUX, OS.MAC, OS.WINDOWS}, disabledReason = "the system locks whole files only")
    void aLockEndsWithItsFile() throws Exception {
        FileHandle other = own(FileHandle.open(path, READ, WRITE));
        Closeable lock = file.lock(0, 1, false);
        file.close();
        own(assertLocked(other.tryLock(0, 1, false)));
        lock.close();
        assertThrows(HandleClosedException.class, () -> file.lock(0, 1, false).close());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aLockThatCouldNotBeEndedCanBeEndedLater() throws Exception {
        FileHandle other = own(FileHandle.open(path, READ, WRITE));
        try (FaultInjection faults = FaultInjection.install(); FileHandle faulty = FileHandle.open(path, WRITE)) {
            Closeable lock = faulty.lock(0, 1, false);
            faults.failNth("fcntl_lock", 1, Errno.ENOMEM);
            assertFails(Errno.ENOMEM, lock::close);
            assertNull(other.tryLock(0, 1, false));
            lock.close();
            own(assertLocked(other.tryLock(0, 1, false)));
            int calls = faults.calls("fcntl_lock");
            lock.close();
            assertEquals(calls, faults.calls("fcntl_lock"));
        }
    }

    /** A close that does nothing, because another thread is about to fail, would return with the range locked. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aLockHasEndedWhenACloseReturns() throws Exception {
        FileHandle other = own(FileHandle.open(path, READ, WRITE));
        try (FaultInjection faults = FaultInjection.install(); FileHandle faulty = FileHandle.open(path, WRITE)) {
            Closeable lock = faulty.lock(0, 1, false);
            IllegalStateException failure = new IllegalStateException("thrown by the test");
            CountDownLatch unlocking = new CountDownLatch(1);
            CountDownLatch failing = new CountDownLatch(1);
            faults.beforeNth("fcntl_lock", 1, () -> {
                unlocking.countDown();
                try {
                    failing.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                throw failure;
            });
            FutureTask<Throwable> first =
                    new FutureTask<>(() -> assertThrows(IllegalStateException.class, lock::close));
            FutureTask<Void> second = new FutureTask<>(() -> {
                lock.close();
                return null;
            });
            Thread firstThread = new Thread(first, "fails to close a lock");
            Thread secondThread = new Thread(second, "closes a lock");
            firstThread.start();
            unlocking.await();
            secondThread.start();
            Pause pause = new Pause();
            while (secondThread.isAlive() && secondThread.getState() != Thread.State.BLOCKED) {
                pause.next();
            }
            failing.countDown();
            assertSame(failure, first.get());
            second.get();
            firstThread.join();
            secondThread.join();
            own(assertLocked(other.tryLock(0, 1, false)));
        }
    }

    /** Those of a process vanish when it closes any descriptor of the file. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aLockOutlastsOtherDescriptorsOfItsFile() throws Exception {
        try (Closeable lock = file.lock(0, 1, false)) {
            assertNotNull(lock);
            Files.readAllBytes(path);
            try (FileChannel channel = FileChannel.open(path, WRITE)) {
                assertNull(channel.tryLock());
            }
            FileHandle other = own(FileHandle.open(path, WRITE));
            assertNull(other.tryLock(0, 1, false));
        }
    }

    @Test
    void aPartIsCopied() throws Exception {
        byte[] bytes = Bytes.random(300_000);
        file.write(ByteBuffer.wrap(bytes).slice(0, 60_000), 0);
        ByteBuffer rest = ByteBuffer.wrap(bytes).position(60_000);
        while (rest.hasRemaining()) {
            file.write(rest, rest.position());
        }
        Path copy = directory.resolve("copy");
        FileHandle target = own(FileHandle.open(copy, WRITE, CREATE));
        assertEquals(200_000, file.copyTo(50_000, 200_000, target, 10));
        assertEquals(200_010, target.size());
        byte[] copied = Files.readAllBytes(copy);
        assertEquals(ByteBuffer.wrap(bytes, 50_000, 200_000), ByteBuffer.wrap(copied, 10, 200_000));
        assertEquals(100, file.copyTo(bytes.length - 100, Long.MAX_VALUE, target, 0));
        assertEquals(0, file.copyTo(bytes.length, 1, target, 0));
        assertEquals(0, file.copyTo(0, 0, target, 0));
        assertEquals(bytes.length, file.copyTo(0, Long.MAX_VALUE, file, bytes.length));
        assertEquals(2L * bytes.length, file.size());
        file.truncate(bytes.length);
        FileHandle appending = own(FileHandle.open(copy, APPEND));
        assertEquals(5, file.copyTo(0, 5, appending, 0));
        assertEquals(200_015, appending.size());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void whatTheSystemCannotCopyIsReadAndWritten() throws Exception {
        byte[] bytes = Bytes.random(150_000);
        Files.write(path, bytes);
        Path copy = directory.resolve("copy");
        for (Errno error : List.of(Errno.EXDEV, Errno.ENOSYS, Errno.EOPNOTSUPP, Errno.EPERM)) {
            Files.deleteIfExists(copy);
            try (FaultInjection faults = FaultInjection.install(); FileHandle from = FileHandle.open(path);
                    FileHandle to = FileHandle.open(copy, WRITE, CREATE)) {
                faults.failEach("copy_file_range", error).shortenEach("pwrite", 1000);
                assertEquals(bytes.length, from.copyTo(0, Long.MAX_VALUE, to, 0));
            }
            assertArrayEquals(bytes, Files.readAllBytes(copy));
        }
        try (FaultInjection faults = FaultInjection.install(); FileHandle from = FileHandle.open(path);
                FileHandle to = FileHandle.open(copy, WRITE)) {
            faults.failEach("copy_file_range", Errno.ENOSPC);
            assertFails(Errno.ENOSPC, () -> from.copyTo(0, 1, to, 0));
        }
        // Its length is 0.
        FileHandle made = own(FileHandle.open(Path.of("/proc/self/cmdline")));
        FileHandle to = own(FileHandle.open(copy, WRITE));
        assertTrue(made.copyTo(0, Long.MAX_VALUE, to, 0) > 0);
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void whatASystemLacksIsNamed() throws Exception {
        try (OtherSystem played = OtherSystem.play(Os.OPENBSD); FileHandle there = FileHandle.open(path, READ, WRITE)) {
            for (Executable call : List.<Executable>of(() -> there.allocate(0, 1), () -> there.punchHole(0, 1),
                    () -> there.prefetch(0, 1), () -> there.evict(0, 1), () -> there.writeBack(0, 1),
                    () -> there.lock(0, 1, true).close())) {
                UnsupportedOperationException e = assertThrows(UnsupportedOperationException.class, call);
                assertTrue(e.getMessage().startsWith("OpenBSD has no call that "), e.getMessage());
            }
        }
    }
}
