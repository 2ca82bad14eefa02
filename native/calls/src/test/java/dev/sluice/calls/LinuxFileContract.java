package dev.sluice.calls;

import static dev.sluice.calls.layout.FileConstants.F_OFD_SETLK;
import static dev.sluice.calls.layout.FileConstants.F_RDLCK;
import static dev.sluice.calls.layout.FileConstants.F_UNLCK;
import static dev.sluice.calls.layout.FileConstants.F_WRLCK;
import static dev.sluice.calls.layout.FileConstants.O_CLOEXEC;
import static dev.sluice.calls.layout.FileConstants.O_CREAT;
import static dev.sluice.calls.layout.FileConstants.O_RDWR;
import static dev.sluice.calls.layout.FileConstants.POSIX_FADV_DONTNEED;
import static dev.sluice.calls.layout.LinuxFileConstants.FALLOC_FL_KEEP_SIZE;
import static dev.sluice.calls.layout.LinuxFileConstants.FALLOC_FL_PUNCH_HOLE;
import static dev.sluice.calls.layout.LinuxFileConstants.RENAME_EXCHANGE;
import static dev.sluice.calls.layout.LinuxFileConstants.RENAME_NOREPLACE;
import static dev.sluice.calls.layout.LinuxFileConstants.RWF_NOWAIT;
import static dev.sluice.calls.layout.LinuxFileConstants.SYNC_FILE_RANGE_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.Flock;
import dev.sluice.calls.layout.Iovec;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls on files that only Linux has. */
public abstract class LinuxFileContract extends BindingContract {

    private static final int EIGHT_PAGES = 8 * 4096;

    @TempDir
    Path directory;

    private final Linux linux;

    protected LinuxFileContract(Binding binding) {
        super(binding);
        this.linux = binding.linux();
    }

    private int open(String name) {
        return own(posix.open(text(directory + "/" + name).address(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    }

    private int append(int fd, String content) {
        return (int) posix.write(fd, text(content).address(), content.length());
    }

    @Test
    void fallocateReservesAndPunches() throws Exception {
        int fd = open("file");
        ok(linux.fallocate(fd, 0, FAR, 4096));
        assertEquals(FAR + 4096, Files.size(directory.resolve("file")));
        assertEquals(3, posix.pwrite(fd, text("abc").address(), 3, 0));
        ok(linux.fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096));
        MemoryBlock in = block(3);
        assertEquals(3, posix.pread(fd, in.address(), 3, 0));
        assertEquals(0, in.buffer().get(0));
        assertFails(Errno.EINVAL, linux.fallocate(fd, 0, 0, 0));
    }

    @Test
    void adviceAndWriteBackTakeRanges() {
        int fd = open("file");
        append(fd, "content");
        ok(linux.sync_file_range(fd, 0, EIGHT_PAGES, SYNC_FILE_RANGE_WRITE));
        assertFails(Errno.EINVAL, linux.sync_file_range(fd, -1, 1, SYNC_FILE_RANGE_WRITE));
        ok(linux.posix_fadvise(fd, 0, EIGHT_PAGES, POSIX_FADV_DONTNEED));
        assertFails(Errno.EINVAL, linux.posix_fadvise(fd, 0, 0, 99));
        assertFails(Errno.ESPIPE, linux.posix_fadvise(pipe()[0], 0, 0, POSIX_FADV_DONTNEED));
    }

    /** A file system that cannot tell whether it would wait refuses the flag. */
    @Test
    void readsAndWritesWithFlagsTakeAVectorAndAPosition() {
        int fd = open("file");
        MemoryBlock vector = block(2 * Iovec.SIZE);
        MemoryBlock bytes = text("content");
        Iovec.set(vector.buffer(), 0, bytes.address(), 3);
        Iovec.set(vector.buffer(), Iovec.SIZE, bytes.address() + 3, 4);
        assertEquals(7, linux.pwritev2(fd, vector.address(), 2, FAR, 0));
        MemoryBlock in = block(8);
        Iovec.set(vector.buffer(), 0, in.address(), 2);
        Iovec.set(vector.buffer(), Iovec.SIZE, in.address() + 2, 6);
        assertEquals(5, linux.preadv2(fd, vector.address(), 2, FAR + 2, 0));
        assertEquals("ntent", text(in, 0, 5));
        long cached = linux.preadv2(fd, vector.address(), 1, FAR, RWF_NOWAIT);
        assertTrue(cached == 2 || Errno.EOPNOTSUPP.is(cached), () -> "preadv2: " + cached);
        assertFails(Errno.EOPNOTSUPP, linux.preadv2(fd, vector.address(), 1, FAR, 1 << 30));
        assertFails(Errno.EINVAL, linux.pwritev2(fd, vector.address(), 1, -2, 0));
    }

    @Test
    void copyFileRangeTakesTwoPositions() {
        int from = open("from");
        int to = open("to");
        append(from, "content");
        MemoryBlock positions = block(16);
        positions.buffer().putLong(0, 3).putLong(8, FAR);
        assertEquals(4, linux.copy_file_range(from, positions.address(), to, positions.address() + 8, 100, 0));
        assertEquals(7, positions.buffer().getLong(0));
        assertEquals(FAR + 4, positions.buffer().getLong(8));
        MemoryBlock in = block(4);
        assertEquals(4, posix.pread(to, in.address(), 4, FAR));
        assertEquals("tent", text(in, 0, 4));
    }

    @Test
    void renameat2KeepsOrExchanges() throws Exception {
        append(open("one"), "1");
        append(open("two"), "2");
        long one = text(directory + "/one").address();
        long two = text(directory + "/two").address();
        int here = FileConstants.AT_FDCWD;
        assertFails(Errno.EEXIST, linux.renameat2(here, one, here, two, RENAME_NOREPLACE));
        ok(linux.renameat2(here, one, here, two, RENAME_EXCHANGE));
        assertEquals("2", Files.readString(directory.resolve("one")));
        assertEquals("1", Files.readString(directory.resolve("two")));
        ok(linux.renameat2(here, one, here, text(directory + "/three").address(), RENAME_NOREPLACE));
        assertTrue(Files.exists(directory.resolve("three")));
    }

    @Test
    void locksBelongToTheOpenFile() {
        int first = open("file");
        int second = open("file");
        MemoryBlock lock = block(Flock.SIZE);
        Flock.set(lock.buffer(), 0, F_WRLCK, FAR, 10);
        ok(linux.fcntl_lock(first, F_OFD_SETLK, lock.address()));
        Flock.set(lock.buffer(), 0, F_RDLCK, FAR + 9, 1);
        assertFails(Errno.EAGAIN, linux.fcntl_lock(second, F_OFD_SETLK, lock.address()));
        Flock.set(lock.buffer(), 0, F_RDLCK, FAR + 10, 0);
        ok(linux.fcntl_lock(second, F_OFD_SETLK, lock.address()));
        Flock.set(lock.buffer(), 0, F_UNLCK, FAR, 10);
        ok(linux.fcntl_lock(first, F_OFD_SETLK, lock.address()));
        Flock.set(lock.buffer(), 0, F_RDLCK, FAR + 9, 1);
        ok(linux.fcntl_lock(second, F_OFD_SETLK, lock.address()));
    }
}
