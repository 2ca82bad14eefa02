package dev.sluice.calls;

import static dev.sluice.calls.layout.FileConstants.IOV_MAX;
import static dev.sluice.calls.layout.FileConstants.LOCK_EX;
import static dev.sluice.calls.layout.FileConstants.LOCK_NB;
import static dev.sluice.calls.layout.FileConstants.LOCK_SH;
import static dev.sluice.calls.layout.FileConstants.LOCK_UN;
import static dev.sluice.calls.layout.FileConstants.O_APPEND;
import static dev.sluice.calls.layout.FileConstants.O_CLOEXEC;
import static dev.sluice.calls.layout.FileConstants.O_CREAT;
import static dev.sluice.calls.layout.FileConstants.O_EXCL;
import static dev.sluice.calls.layout.FileConstants.O_RDONLY;
import static dev.sluice.calls.layout.FileConstants.O_RDWR;
import static dev.sluice.calls.layout.FileConstants.O_TRUNC;
import static dev.sluice.calls.layout.FileConstants.O_WRONLY;
import static dev.sluice.calls.layout.FileConstants.SEEK_CUR;
import static dev.sluice.calls.layout.FileConstants.SEEK_END;
import static dev.sluice.calls.layout.FileConstants.SEEK_SET;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.layout.Iovec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files, also beyond what 32 bits can address. */
public abstract class FileContract extends BindingContract {

    @TempDir
    Path directory;

    private Path path;

    protected FileContract(Binding binding) {
        super(binding);
    }

    @BeforeEach
    void name() {
        path = directory.resolve("file");
    }

    private int open(Path file, int flags) {
        return posix.open(text(file.toString()).address(), flags | O_CLOEXEC, 0600);
    }

    private int create() {
        return own(open(path, O_RDWR | O_CREAT));
    }

    @Test
    void openCreatesWithTheMode() throws Exception {
        own(posix.open(text(path.toString()).address(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
        own(posix.open(text(directory + "/script").address(), O_WRONLY | O_CREAT | O_CLOEXEC, 0500));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
        assertEquals("r-x------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("script"))));
    }

    @Test
    void openRefuses() throws Exception {
        assertFails(Errno.ENOENT, open(path, O_RDONLY));
        Files.writeString(path, "old");
        assertFails(Errno.EEXIST, open(path, O_RDWR | O_CREAT | O_EXCL));
        assertFails(Errno.EISDIR, open(directory, O_WRONLY));
        assertFails(Errno.ENOTDIR, open(path.resolve("below"), O_RDONLY));
        assertFails(Errno.EFAULT, posix.open(0, O_RDONLY, 0));
    }

    @Test
    void openTruncatesAndAppends() throws Exception {
        Files.writeString(path, "old");
        int file = own(open(path, O_WRONLY | O_APPEND));
        assertEquals(3, posix.write(file, text("new").address(), 3));
        assertEquals("oldnew", Files.readString(path));
        own(open(path, O_WRONLY | O_TRUNC));
        assertEquals(0, Files.size(path));
    }

    @Test
    void readFollowsWriteAndSeek() {
        int file = create();
        assertEquals(10, posix.write(file, text("0123456789").address(), 10));
        MemoryBlock in = block(10);
        assertEquals(0, posix.read(file, in.address(), 10), "end of file");
        assertEquals(7, posix.lseek(file, 7, SEEK_SET));
        assertEquals(7, posix.lseek(file, 0, SEEK_CUR));
        assertEquals(3, posix.read(file, in.address(), 10));
        assertEquals("789", text(in, 0, 3));
    }

    @Test
    void knowsATerminal() {
        assertEquals(0, posix.isatty(create()));
        assertEquals(0, posix.isatty(-1));
        Emulator.deviates("does not know TCGETS2, by which the C library asks from glibc 2.42 on");
        assertEquals(1, posix.isatty(own(open(Path.of("/dev/ptmx"), O_RDWR))));
    }

    @Test
    void flockLocksTheWholeFileForAnOpenFile() {
        int first = create();
        int second = create();
        ok(posix.flock(first, LOCK_SH));
        ok(posix.flock(second, LOCK_SH | LOCK_NB));
        assertFails(Errno.EAGAIN, posix.flock(second, LOCK_EX | LOCK_NB));
        ok(posix.flock(first, LOCK_UN));
        ok(posix.flock(second, LOCK_EX | LOCK_NB));
        assertFails(Errno.EAGAIN, posix.flock(first, LOCK_SH | LOCK_NB));
        // Unlike a lock of the process, it is not lost with another descriptor of the file.
        close(create());
        assertFails(Errno.EAGAIN, posix.flock(first, LOCK_SH | LOCK_NB));
        close(second);
        ok(posix.flock(first, LOCK_EX | LOCK_NB));
    }

    @Test
    void positionsBeyondFourGiB() throws Exception {
        int file = create();
        assertEquals(4, posix.pwrite(file, text("far!").address(), 4, FAR));
        assertEquals(FAR + 4, Files.size(path));
        MemoryBlock in = block(8);
        assertEquals(4, posix.pread(file, in.address(), 8, FAR));
        assertEquals("far!", text(in, 0, 4));
        assertEquals(8, posix.pread(file, in.address(), 8, FAR & 0xFFFF_FFFFL), "the hole");
        assertEquals(0, in.buffer().getLong(0), "the hole");

        assertEquals(FAR + 4, posix.lseek(file, 0, SEEK_END));
        assertEquals(FAR + 1, posix.lseek(file, FAR + 1, SEEK_SET));
        assertEquals(3, posix.read(file, in.address(), 8));
        assertEquals("ar!", text(in, 0, 3));
    }

    @Test
    void vectorsBeyondFourGiB() throws Exception {
        int file = create();
        MemoryBlock out = text("headtail");
        assertEquals(8, posix.pwritev(file, vector(out, 4, 4), 2, FAR));
        assertEquals(FAR + 8, Files.size(path));
        MemoryBlock in = block(8);
        assertEquals(8, posix.preadv(file, vector(in, 1, 2, 5), 3, FAR));
        assertEquals("headtail", text(in, 0, 8));
    }

    @Test
    void vectorsFollowThePosition() {
        int file = create();
        MemoryBlock out = text("headtail");
        assertEquals(8, posix.writev(file, vector(out, 4, 4), 2));
        assertEquals(2, posix.lseek(file, 2, SEEK_SET));
        MemoryBlock in = block(8);
        assertEquals(6, posix.readv(file, vector(in, 3, 5), 2));
        assertEquals("adtail", text(in, 0, 6));
    }

    @Test
    void vectorsHaveALongestLength() {
        int file = create();
        long vector = block((IOV_MAX + 1) * Iovec.SIZE).address();
        assertEquals(0, posix.writev(file, vector, IOV_MAX));
        assertFails(Errno.EINVAL, posix.writev(file, vector, IOV_MAX + 1));
        assertFails(Errno.EINVAL, posix.readv(file, vector, IOV_MAX + 1));
        assertFails(Errno.EINVAL, posix.pwritev(file, vector, IOV_MAX + 1, 0));
        assertFails(Errno.EINVAL, posix.preadv(file, vector, IOV_MAX + 1, 0));
    }

    @Test
    void ftruncateSetsTheSize() throws Exception {
        int file = create();
        ok(posix.ftruncate(file, FAR + 1));
        assertEquals(FAR + 1, Files.size(path));
        ok(posix.ftruncate(file, 3));
        assertEquals(3, Files.size(path));
        assertFails(Errno.EINVAL, posix.ftruncate(file, -1));
    }

    @Test
    void positionsAreNotNegative() {
        int file = create();
        MemoryBlock memory = block(1);
        assertFails(Errno.EINVAL, posix.pread(file, memory.address(), 1, -1));
        assertFails(Errno.EINVAL, posix.pwrite(file, memory.address(), 1, -1));
        assertFails(Errno.EINVAL, posix.lseek(file, -1, SEEK_SET));
    }

    @Test
    void fsyncNeedsAFile() {
        int file = create();
        assertEquals(1, posix.write(file, block(1).address(), 1));
        ok(posix.fsync(file));
        assertFails(Errno.EINVAL, posix.fsync(pipe()[1]));
    }

    @Test
    void fdatasyncNeedsAFile() {
        int file = create();
        assertEquals(1, posix.write(file, block(1).address(), 1));
        ok(posix.fdatasync(file));
        assertFails(Errno.EINVAL, posix.fdatasync(pipe()[1]));
    }

    @Test
    void directionsAreKept() throws Exception {
        Files.writeString(path, "x");
        MemoryBlock memory = block(1);
        assertFails(Errno.EBADF, posix.write(own(open(path, O_RDONLY)), memory.address(), 1));
        assertFails(Errno.EBADF, posix.read(own(open(path, O_WRONLY)), memory.address(), 1));
    }

    private long vector(MemoryBlock parts, int... lengths) {
        MemoryBlock vector = block(lengths.length * Iovec.SIZE);
        int at = 0;
        for (int i = 0; i < lengths.length; i++) {
            Iovec.set(vector.buffer(), i * Iovec.SIZE, parts.address() + at, lengths[i]);
            at += lengths[i];
        }
        return vector.address();
    }
}
