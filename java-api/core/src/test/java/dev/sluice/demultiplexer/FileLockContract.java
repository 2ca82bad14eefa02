package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.calls.Platform.Os;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.OtherSystem;
import dev.sluice.testing.Depth;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Locks of ranges of open files. */
@Tag(Depth.TRANSFER)
@EnabledOnOs(value = {OS.LINUX, OS.MAC, OS.WINDOWS}, disabledReason = "the system locks whole files only")
abstract class FileLockContract extends OperationContract {

    /** More than the threads of a pool. */
    private static final int MANY = 20;
    private static final List<OperationType> TYPES = List.of(OperationType.LOCK, OperationType.TRY_LOCK);

    private Path path;
    private FileHandle file;
    private FileHandle other;
    private Association where;

    FileLockContract(AsynchronousMechanism mechanism) {
        super(mechanism);
    }

    @BeforeEach
    final void openFiles() throws IOException {
        path = Files.write(directory.resolve("file"), new byte[100]);
        file = own(FileHandle.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE));
        other = own(FileHandle.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE));
        where = associate(file.handle());
    }

    private Flight lock(OperationType type, long position, long length, boolean shared) {
        return start(o -> o.lock(type, where, position, length, shared));
    }

    private Closeable locked(Flight flight) throws IOException {
        assertResult(0, flight);
        Closeable lock = flight.takeLock();
        assertNotNull(lock, () -> "no lock: " + flight);
        return lock;
    }

    @Test
    void aLockExcludesOthersUntilItIsClosed() throws IOException {
        for (OperationType type : TYPES) {
            Flight flight = lock(type, 10, 5, false);
            try (Closeable lock = locked(flight)) {
                assertEquals(type, flight.operation().type());
                assertNull(other.tryLock(14, 100, false), lock::toString);
                other.tryLock(15, 100, false).close();
            }
            other.tryLock(14, 100, false).close();
        }
    }

    @Test
    void tryLockOfWhatIsLockedHasNone() throws IOException {
        try (Closeable held = other.lock(0, Long.MAX_VALUE, false)) {
            Flight flight = lock(OperationType.TRY_LOCK, 5, 1, false);
            assertResult(0, flight);
            assertNull(flight.takeLock(), held::toString);
        }
        locked(lock(OperationType.TRY_LOCK, 5, Long.MAX_VALUE, false)).close();
    }

    @Test
    void sharedLocksExcludeOthersOnly() throws IOException {
        Closeable shared = other.lock(0, 10, true);
        Closeable too = locked(lock(OperationType.LOCK, 0, 10, true));
        assertNull(other.tryLock(0, 10, false));
        too.close();
        Flight waiting = lock(OperationType.LOCK, 0, 10, false);
        assertNoCompletion();
        shared.close();
        locked(waiting).close();
    }

    @Test
    void aLockIsObtainedWhenItIsFree() throws IOException {
        Closeable held = other.lock(0, 10, false);
        List<Flight> waiting = new ArrayList<>();
        // Locks of one open file do not exclude each other, but on Windows.
        int count = CalledSystem.isWindows() ? 1 : 3;
        for (int i = 0; i < count; i++) {
            waiting.add(lock(OperationType.LOCK, 9, 1 + i, false));
        }
        assertNoCompletion();
        held.close();
        List<Closeable> locks = new ArrayList<>();
        for (Flight flight : waiting) {
            locks.add(locked(flight));
        }
        for (Closeable lock : locks) {
            lock.close();
            // Once more does nothing.
            lock.close();
        }
        other.tryLock(0, Long.MAX_VALUE, false).close();
    }

    @Test
    void aLockEndsWithItsFile() throws IOException {
        Closeable lock = locked(lock(OperationType.LOCK, 0, 10, false));
        file.close();
        where.end();
        collect(0);
        other.tryLock(0, 10, false).close();
        lock.close();
    }

    /** None of them occupies a thread. */
    @Test
    void manyThatWaitHoldUpNothing() throws IOException {
        Closeable held = other.lock(0, 1, false);
        List<Flight> waiting = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            waiting.add(lock(OperationType.LOCK, 0, 1, false));
        }
        assertResult(0, start(o -> o.force(where)));
        locked(lock(OperationType.TRY_LOCK, 1, 1, false)).close();
        for (Flight flight : waiting) {
            assertTrue(flight.operation().isInFlight());
            flight.operation().cancel();
        }
        for (Flight flight : waiting) {
            assertCancelled(flight);
            assertNull(flight.takeLock());
        }
        held.close();
        // What was cancelled locks nothing later.
        other.tryLock(0, Long.MAX_VALUE, false).close();
        locked(waiting.get(0).start(o -> o.lock(OperationType.LOCK, where, 0, 1, false))).close();
    }

    @Test
    void aCancelledOneCompletesInAnyPhase() throws IOException {
        Closeable held = other.lock(0, 1, false);
        for (int i = 0; i < MANY; i++) {
            Flight flight = lock(OperationType.LOCK, 0, 1, false);
            for (int j = 0; j < i; j++) {
                collect(0);
            }
            flight.operation().cancel();
            assertCancelled(flight);
        }
        held.close();
    }

    /** An attempt that is executed before it is cancelled has its lock; any other leaves nothing locked. */
    @Test
    void cancelledAttemptsHaveTheirLockOrNone() throws IOException {
        List<Flight> attempts = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            attempts.add(lock(OperationType.TRY_LOCK, i, 1, false));
            if (i % 3 == 0) {
                collect(0);
            }
            attempts.get(i).operation().cancel();
        }
        for (Flight attempt : attempts) {
            boolean cancelled = isCancelled(attempt);
            Closeable lock = attempt.takeLock();
            assertEquals(cancelled, lock == null, attempt::toString);
            if (lock != null) {
                lock.close();
            }
        }
        other.tryLock(0, Long.MAX_VALUE, false).close();
    }

    @Test
    void onesThatWaitEndWithTheirFile() throws IOException {
        Closeable held = other.lock(0, 1, false);
        Flight waiting = lock(OperationType.LOCK, 0, 1, false);
        assertNoCompletion();
        file.close();
        assertCancelled(waiting);
        for (OperationType type : TYPES) {
            assertCancelled(lock(type, 0, 1, false));
        }
        held.close();
    }

    @Test
    void onesThatWaitEndWithTheDemultiplexer() throws IOException {
        Closeable held = other.lock(0, 1, false);
        List<Flight> waiting = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            waiting.add(lock(OperationType.LOCK, 0, 1, false));
            collect(0);
        }
        demultiplexer.close();
        waiting.forEach(flight -> assertFalse(flight.operation().isInFlight()));
        held.close();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void failuresNameCallErrorAndSubject() throws IOException {
        Association readOnly = associate(own(FileHandle.open(path)).handle());
        for (OperationType type : TYPES) {
            Flight failing = start(o -> o.lock(type, readOnly, 0, 1, false));
            assertFails(Errno.EBADF, failing);
            String message = failing.operation().error(failing.result()).getMessage();
            assertTrue(message.startsWith("lock " + readOnly + ": EBADF"), message);
            assertNull(failing.takeLock());
        }
    }

    private void assertRefused(Class<? extends Exception> with, Association association, long position, long length) {
        for (OperationType type : TYPES) {
            Flight flight = flight();
            assertThrows(with, () -> flight.start(o -> o.lock(type, association, position, length, false)));
            assertFalse(flight.operation().isInFlight());
        }
    }

    @Test
    void whatIsNoRangeIsRefused() {
        assertRefused(IllegalArgumentException.class, where, -1, 1);
        assertRefused(IllegalArgumentException.class, where, -1, Long.MAX_VALUE);
        assertRefused(IllegalArgumentException.class, where, 0, 0);
        assertRefused(IllegalArgumentException.class, where, 2, Long.MAX_VALUE - 1);
        assertRefused(NullPointerException.class, null, 0, 1);
    }

    @Test
    @Tag(CalledSystem.NOT_WINDOWS)
    void aSystemWithLocksOfWholeFilesRefusesParts() throws IOException {
        try (OtherSystem played = OtherSystem.play(Os.OPENBSD); FileHandle there = FileHandle.open(path)) {
            Association association = associate(there.handle());
            assertRefused(UnsupportedOperationException.class, association, 0, 1);
            assertRefused(UnsupportedOperationException.class, association, 1, Long.MAX_VALUE);
            for (OperationType type : TYPES) {
                locked(start(o -> o.lock(type, association, 0, Long.MAX_VALUE, true))).close();
            }
            association.end();
        }
    }
}
