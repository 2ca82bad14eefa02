package dev.sluice.calls;

import static dev.sluice.calls.layout.FileConstants.AT_EMPTY_PATH;
import static dev.sluice.calls.layout.FileConstants.AT_FDCWD;
import static dev.sluice.calls.layout.FileConstants.AT_SYMLINK_NOFOLLOW;
import static dev.sluice.calls.layout.FileConstants.O_CLOEXEC;
import static dev.sluice.calls.layout.FileConstants.O_CREAT;
import static dev.sluice.calls.layout.FileConstants.O_RDONLY;
import static dev.sluice.calls.layout.FileConstants.O_RDWR;
import static dev.sluice.calls.layout.FileConstants.S_IFDIR;
import static dev.sluice.calls.layout.FileConstants.S_IFLNK;
import static dev.sluice.calls.layout.FileConstants.S_IFMT;
import static dev.sluice.calls.layout.FileConstants.S_IFREG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.layout.Stat;
import dev.sluice.calls.layout.Statx;
import dev.sluice.calls.layout.Timespec;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is there under a name or behind a descriptor: {@code statx} on Linux, {@code fstatat} and {@code fstat}. */
public abstract class FileStatusContract extends BindingContract {

    private static final Instant TIME = Instant.ofEpochSecond(1_234_567_890L, 123_456_789);

    @TempDir
    Path directory;

    protected FileStatusContract(Binding binding) {
        super(binding);
    }

    private ByteBuffer status(int from, String name, int flags) {
        if (binding.linux() != null) {
            MemoryBlock status = block(Statx.SIZE);
            ok(binding.linux().statx(from, text(name).address(), flags | (name.isEmpty() ? AT_EMPTY_PATH : 0),
                    Statx.BASIC_STATS, status.address()));
            return status.buffer();
        }
        MemoryBlock status = block(Stat.SIZE);
        ok(name.isEmpty() ? binding.bsd().fstat(from, status.address())
                : binding.bsd().fstatat(from, text(name).address(), status.address(), flags));
        return status.buffer();
    }

    private int kind(ByteBuffer status) {
        return status.getShort(binding.linux() != null ? Statx.MODE : Stat.MODE) & S_IFMT;
    }

    private void assertIsFile(ByteBuffer status, Path file) throws Exception {
        boolean linux = binding.linux() != null;
        assertEquals(S_IFREG, kind(status));
        assertEquals(Files.getAttribute(file, "unix:ino"), status.getLong(linux ? Statx.INO : Stat.INO));
        assertEquals(FAR, status.getLong(linux ? Statx.FILE_SIZE : Stat.FILE_SIZE));
        assertEquals(TIME, linux
                ? Instant.ofEpochSecond(status.getLong(Statx.MTIME_SEC), status.getInt(Statx.MTIME_NSEC))
                : Instant.ofEpochSecond(Timespec.seconds(status, Stat.MTIME), Timespec.nanos(status, Stat.MTIME)));
    }

    @Test
    void saysWhatIsThere() throws Exception {
        Path file = directory.resolve("file");
        int fd = own(posix.open(text(file.toString()).address(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
        ok(posix.ftruncate(fd, FAR));
        Files.setLastModifiedTime(file, FileTime.from(TIME));
        assertIsFile(status(fd, "", 0), file);
        int from = own(posix.open(text(directory.toString()).address(), O_RDONLY | O_CLOEXEC, 0));
        assertIsFile(status(from, "file", AT_SYMLINK_NOFOLLOW), file);
        assertEquals(S_IFDIR, kind(status(from, "", 0)));
    }

    @Test
    void followsALinkUnlessAskedNotTo() throws Exception {
        Files.createSymbolicLink(directory.resolve("link"), Path.of("."));
        String link = directory.resolve("link").toString();
        assertEquals(S_IFDIR, kind(status(AT_FDCWD, link, 0)));
        assertEquals(S_IFLNK, kind(status(AT_FDCWD, link, AT_SYMLINK_NOFOLLOW)));
    }
}
