package dev.sluice.calls;

import static dev.sluice.calls.layout.FileConstants.AT_FDCWD;
import static dev.sluice.calls.layout.FileConstants.O_CLOEXEC;
import static dev.sluice.calls.layout.FileConstants.O_CREAT;
import static dev.sluice.calls.layout.FileConstants.O_DIRECTORY;
import static dev.sluice.calls.layout.FileConstants.O_EXCL;
import static dev.sluice.calls.layout.FileConstants.O_NOFOLLOW;
import static dev.sluice.calls.layout.FileConstants.O_RDONLY;
import static dev.sluice.calls.layout.FileConstants.O_WRONLY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.layout.FileConstants;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names that begin at an open directory, whatever that is called. */
public abstract class DirectoryContract extends BindingContract {

    @TempDir
    Path parent;

    private Path path;
    private int directory;

    protected DirectoryContract(Binding binding) {
        super(binding);
    }

    @BeforeEach
    void openDirectory() throws Exception {
        path = Files.createDirectory(parent.resolve("before"));
        directory = own(openat(AT_FDCWD, path.toString(), O_RDONLY | O_DIRECTORY));
        path = Files.move(path, parent.resolve("after"));
    }

    private int openat(int from, String name, int flags) {
        return posix.openat(from, text(name).address(), flags | O_CLOEXEC, 0600);
    }

    @Test
    void openatCreatesInTheDirectoryWithTheMode() throws Exception {
        own(openat(directory, "file", O_WRONLY | O_CREAT | O_EXCL));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path.resolve("file"))));
        assertFails(Errno.EEXIST, openat(directory, "file", O_WRONLY | O_CREAT | O_EXCL));
    }

    @Test
    void openatFollowsNoLinkIfAskedNotTo() throws Exception {
        Files.writeString(path.resolve("file"), "x");
        Files.createSymbolicLink(path.resolve("link"), Path.of("file"));
        Files.createSymbolicLink(path.resolve("up"), Path.of(".."));
        own(openat(directory, "link", O_RDONLY));
        int refusal = openat(directory, "link", O_RDONLY | O_NOFOLLOW);
        // FreeBSD's error of its own (open(2)).
        assertTrue(Errno.ELOOP.is(refusal) || Platform.CURRENT.os() == Platform.Os.FREEBSD && refusal < 0);
        assertTrue(openat(directory, "up", O_RDONLY | O_NOFOLLOW | O_DIRECTORY) < 0);
        assertFails(Errno.ENOTDIR, openat(directory, "file", O_RDONLY | O_DIRECTORY));
    }

    @Test
    void readlinkatReadsWhereALinkLeads() throws Exception {
        Files.createSymbolicLink(path.resolve("link"), Path.of("../elsewhere"));
        MemoryBlock target = block(64);
        assertEquals(12, posix.readlinkat(directory, text("link").address(), target.address(), 64));
        assertEquals("../elsewhere", text(target, 0, 12));
        assertEquals(2, posix.readlinkat(directory, text("link").address(), target.address(), 2), "cut off");
        Files.writeString(path.resolve("file"), "x");
        assertFails(Errno.EINVAL, posix.readlinkat(directory, text("file").address(), target.address(), 64));
    }

    @Test
    void renameatMovesFromDirectoryToDirectory() throws Exception {
        Files.writeString(path.resolve("file"), "new");
        Files.createDirectory(path.resolve("below"));
        Files.writeString(path.resolve("below/target"), "old");
        int below = own(openat(directory, "below", O_RDONLY | O_DIRECTORY));
        ok(posix.renameat(directory, text("file").address(), below, text("target").address()));
        assertEquals("new", Files.readString(path.resolve("below/target")));
        assertFalse(Files.exists(path.resolve("file")));
        assertFails(Errno.ENOENT, posix.renameat(directory, text("file").address(), below, text("a").address()));
    }

    @Test
    void unlinkatRemovesFromTheDirectory() throws Exception {
        Files.writeString(path.resolve("file"), "x");
        ok(posix.unlinkat(directory, text("file").address(), 0));
        assertFalse(Files.exists(path.resolve("file")));
        assertFails(Errno.ENOENT, posix.unlinkat(directory, text("file").address(), 0));
    }

    @Test
    void mkdiratAndLinkatMakeNames() throws Exception {
        ok(posix.mkdirat(directory, text("made").address(), 0700));
        assertTrue(Files.isDirectory(path.resolve("made")));
        assertFails(Errno.EEXIST, posix.mkdirat(directory, text("made").address(), 0700));
        Files.writeString(path.resolve("one"), "content");
        ok(posix.linkat(directory, text("one").address(), directory, text("two").address(), 0));
        assertTrue(Files.isSameFile(path.resolve("one"), path.resolve("two")));
        assertFails(Errno.EEXIST, posix.linkat(directory, text("one").address(), directory, text("two").address(), 0));
        ok(posix.unlinkat(directory, text("made").address(), FileConstants.AT_REMOVEDIR));
        assertFalse(Files.exists(path.resolve("made")));
    }
}
