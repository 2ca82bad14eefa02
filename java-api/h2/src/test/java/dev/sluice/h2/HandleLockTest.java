package dev.sluice.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.calls.Platform.Os;
import dev.sluice.handle.FaultInjection;
import dev.sluice.handle.LeakChecked;
import dev.sluice.handle.OtherSystem;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.h2.store.fs.FilePath;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks of files of {@link FilePathSluice}. */
@Tag(Depth.IN_QUICK)
@EnabledOnOs(value = {OS.LINUX, OS.MAC, OS.WINDOWS}, disabledReason = "the system locks whole files only")
class HandleLockTest extends LeakChecked {

    private static final int LIMIT_SECONDS = 60;

    @TempDir
    Path directory;

    private Path path;
    private FileChannel file;
    private FileChannel other;

    @BeforeAll
    static void register() {
        FilePathSluice.register();
    }

    @BeforeEach
    void open() throws IOException {
        path = directory.resolve("file");
        file = own(FilePath.get("sluice:" + path).open("rw"));
        other = own(FilePath.get("sluice:" + path).open("rw"));
    }

    @Test
    void lockExcludesOtherOpenFiles() throws IOException {
        FileLock lock = file.tryLock();
        assertNotNull(lock);
        assertTrue(lock.isValid());
        assertFalse(lock.isShared());
        assertEquals(file, lock.channel());
        assertNull(other.tryLock());
        assertNull(other.tryLock(100, 1, true));
        lock.release();
        assertFalse(lock.isValid());
        lock.release();
        assertNotNull(other.tryLock());
        assertNull(file.tryLock());
    }

    @Test
    void sharedLocksExcludeExclusiveOnes() throws IOException {
        FileChannel reading = own(FilePath.get("sluice:" + path).open("r"));
        FileLock lock = reading.tryLock(0, Long.MAX_VALUE, true);
        assertNotNull(lock);
        assertTrue(lock.isShared());
        assertNull(file.tryLock());
        assertNotNull(other.tryLock(0, Long.MAX_VALUE, true));
    }

    @Test
    void overlappingLocksOfOneFileAreRefused() throws IOException {
        FileLock lock = file.tryLock(10, 10, false);
        assertNotNull(lock);
        for (long[] range : new long[][] {{10, 10}, {0, 11}, {19, 1}, {0, 0}, {0, Long.MAX_VALUE}, {12, 3}}) {
            assertThrows(OverlappingFileLockException.class, () -> file.tryLock(range[0], range[1], true));
            assertThrows(OverlappingFileLockException.class, () -> file.lock(range[0], range[1], true));
        }
        assertNotNull(file.tryLock(0, 10, false));
        FileLock rest = file.tryLock(20, 0, false);
        assertNotNull(rest);
        assertThrows(OverlappingFileLockException.class, () -> file.tryLock(Long.MAX_VALUE - 1, 1, true));
        assertNull(other.tryLock(1L << 40, 1, true));
        rest.release();
        assertNotNull(other.tryLock(1L << 40, 1, true));
        // Both ends of the first one are still locked.
        assertNull(other.tryLock(10, 1, true));
        assertNull(other.tryLock(19, 1, true));
        for (long[] range : new long[][] {{-1, 1}, {0, -1}, {2, Long.MAX_VALUE - 1}}) {
            assertThrows(IllegalArgumentException.class, () -> file.tryLock(range[0], range[1], true));
        }
    }

    @Test
    void refusedLockCanBeTriedAgain() throws IOException {
        FileLock lock = file.tryLock();
        assertNull(other.tryLock());
        assertNull(other.tryLock());
        lock.release();
        assertNotNull(other.tryLock());
    }

    @Test
    void lockEndsWithItsFile() throws IOException {
        FileLock lock = file.tryLock();
        file.close();
        assertFalse(lock.isValid());
        assertThrows(ClosedChannelException.class, lock::release);
        assertNotNull(other.tryLock());
    }

    /** Locks of a process end when it closes any descriptor of the file. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void lockExcludesChannelsOfTheJdkAndOutlivesThem() throws IOException {
        FileLock lock = file.tryLock();
        Files.readAllBytes(path);
        try (FileChannel jdk = FileChannel.open(path, StandardOpenOption.WRITE)) {
            assertNull(jdk.tryLock());
        }
        assertNull(other.tryLock());
        assertTrue(lock.isValid());
    }

    @Test
    void lockIsAwaited() throws Exception {
        FileLock lock = file.lock();
        CountDownLatch arrived = new CountDownLatch(1);
        FutureTask<FileLock> waiting = new FutureTask<>(() -> {
            arrived.countDown();
            return other.lock();
        });
        new Thread(waiting, "waits for a lock").start();
        assertTrue(arrived.await(LIMIT_SECONDS, TimeUnit.SECONDS));
        assertFalse(waiting.isDone());
        lock.release();
        FileLock next = waiting.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertTrue(next.isValid());
        assertNull(file.tryLock());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void lockGrantedAfterTheCloseEnds() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        try (FaultInjection faults = FaultInjection.install();
                FileChannel there = FilePath.get("sluice:" + path).open("rw")) {
            faults.before("fcntl_lock", () -> {
                arrived.countDown();
                try {
                    assertTrue(closed.await(LIMIT_SECONDS, TimeUnit.SECONDS));
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            FutureTask<FileLock> waiting = new FutureTask<>(there::lock);
            new Thread(waiting, "waits for a lock").start();
            assertTrue(arrived.await(LIMIT_SECONDS, TimeUnit.SECONDS));
            assertThrows(OverlappingFileLockException.class, there::tryLock);
            there.close();
            closed.countDown();
            Exception e = assertThrows(ExecutionException.class,
                    () -> waiting.get(LIMIT_SECONDS, TimeUnit.SECONDS));
            assertInstanceOf(AsynchronousCloseException.class, e.getCause());
        }
        assertNotNull(file.tryLock());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void failedLockIsForgotten() throws IOException {
        try (FaultInjection faults = FaultInjection.install();
                FileChannel there = FilePath.get("sluice:" + path).open("rw")) {
            faults.failNth("fcntl_lock", 1, Errno.EIO);
            IOException e = assertThrows(IOException.class, there::tryLock);
            assertTrue(e.getMessage().contains("EIO") && e.getMessage().contains(path.toString()), e::getMessage);
            assertNotNull(there.tryLock());
        }
    }

    /** H2 reports an {@code IOException}, and closes the file. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void systemWithoutLocksOfPartsIsNamed() throws IOException {
        try (OtherSystem played = OtherSystem.play(Os.OPENBSD);
                FileChannel there = FilePath.get("sluice:" + path).open("rw")) {
            IOException e = assertThrows(IOException.class, () -> there.tryLock(0, 1, false));
            assertTrue(e.getMessage().startsWith("sluice:" + path + ": "), e.getMessage());
            assertInstanceOf(UnsupportedOperationException.class, e.getCause());
        }
    }

    /** Which is what H2 locks. */
    @ParameterizedTest
    @EnumSource(names = {"MACOS", "FREEBSD", "OPENBSD"})
    @EnabledOnOs(OS.LINUX)
    void wholeFileIsLockedOnTheOtherSystems(Os os) throws IOException {
        try (OtherSystem played = OtherSystem.play(os);
                FileChannel one = FilePath.get("sluice:" + path).open("rw");
                FileChannel two = FilePath.get("sluice:" + path).open("rw")) {
            FileLock lock = one.tryLock();
            assertNotNull(lock);
            assertNull(two.tryLock());
            assertNull(two.tryLock(0, Long.MAX_VALUE, true));
            lock.release();
            FileLock shared = two.tryLock(0, Long.MAX_VALUE, true);
            assertNotNull(shared);
            assertNull(one.tryLock());
        }
    }
}
