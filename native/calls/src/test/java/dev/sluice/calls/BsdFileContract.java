package dev.sluice.calls;

import static dev.sluice.calls.layout.FileConstants.F_OFD_SETLK;
import static dev.sluice.calls.layout.FileConstants.F_RDLCK;
import static dev.sluice.calls.layout.FileConstants.F_WRLCK;
import static dev.sluice.calls.layout.FileConstants.O_CLOEXEC;
import static dev.sluice.calls.layout.FileConstants.O_CREAT;
import static dev.sluice.calls.layout.FileConstants.O_RDWR;
import static dev.sluice.calls.layout.FileConstants.POSIX_FADV_WILLNEED;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.layout.Flock;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls on files of macOS or FreeBSD, as far as the C library of Linux has functions with the same prototypes. */
public abstract class BsdFileContract extends BindingContract {

    @TempDir
    Path directory;

    private final Bsd bsd;

    protected BsdFileContract(Binding binding) {
        super(binding);
        this.bsd = binding.bsd();
    }

    private int open(String name) {
        return own(posix.open(text(directory + "/" + name).address(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    }

    @Test
    void fcntlTakesAPointer() {
        int first = open("file");
        int second = open("file");
        MemoryBlock lock = block(Flock.SIZE);
        Flock.set(lock.buffer(), 0, F_WRLCK, FAR, 10);
        ok(bsd.fcntl_pointer(first, F_OFD_SETLK, lock.address()));
        Flock.set(lock.buffer(), 0, F_RDLCK, FAR + 9, 1);
        assertFails(Errno.EAGAIN, bsd.fcntl_pointer(second, F_OFD_SETLK, lock.address()));
        Flock.set(lock.buffer(), 0, F_RDLCK, FAR + 10, 1);
        ok(bsd.fcntl_pointer(second, F_OFD_SETLK, lock.address()));
        assertFails(Errno.EBADF, bsd.fcntl_pointer(-1, F_OFD_SETLK, lock.address()));
    }

    @Test
    void rangesAreReservedAndAdvised() throws Exception {
        int fd = open("file");
        ok(bsd.posix_fallocate(fd, FAR, 4096));
        assertEquals(FAR + 4096, Files.size(directory.resolve("file")));
        assertFails(Errno.EINVAL, bsd.posix_fallocate(fd, 0, 0));
        assertFails(Errno.EBADF, bsd.posix_fallocate(-1, 0, 1));
        ok(bsd.posix_fadvise(fd, FAR, 4096, POSIX_FADV_WILLNEED));
        assertFails(Errno.ESPIPE, bsd.posix_fadvise(pipe()[0], 0, 0, POSIX_FADV_WILLNEED));
    }

    @Test
    void copyFileRangeTakesTwoPositions() {
        int from = open("from");
        int to = open("to");
        assertEquals(7, posix.write(from, text("content").address(), 7));
        MemoryBlock positions = block(16);
        positions.buffer().putLong(0, 3).putLong(8, FAR);
        assertEquals(4, bsd.copy_file_range(from, positions.address(), to, positions.address() + 8, 100, 0));
        MemoryBlock in = block(4);
        assertEquals(4, posix.pread(to, in.address(), 4, FAR));
        assertEquals("tent", text(in, 0, 4));
        assertFails(Errno.EBADF, bsd.copy_file_range(-1, 0, to, 0, 1, 0));
    }

    @Test
    void whatTheLibraryLacksIsNotImplemented() {
        int fd = open("file");
        long name = text("name").address();
        assertFails(Errno.ENOSYS, bsd.renameatx_np(fd, name, fd, name, 0));
        assertFails(Errno.ENOSYS, bsd.fspacectl(fd, 1, name, 0, 0));
    }
}
