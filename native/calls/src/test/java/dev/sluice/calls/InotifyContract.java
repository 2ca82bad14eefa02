package dev.sluice.calls;

import static dev.sluice.calls.layout.InotifyConstants.IN_CLOEXEC;
import static dev.sluice.calls.layout.InotifyConstants.IN_CREATE;
import static dev.sluice.calls.layout.InotifyConstants.IN_IGNORED;
import static dev.sluice.calls.layout.InotifyConstants.IN_ISDIR;
import static dev.sluice.calls.layout.InotifyConstants.IN_MOVED_FROM;
import static dev.sluice.calls.layout.InotifyConstants.IN_MOVED_TO;
import static dev.sluice.calls.layout.InotifyConstants.IN_NONBLOCK;
import static dev.sluice.calls.layout.InotifyConstants.IN_ONLYDIR;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.InotifyEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes of files and directories. */
public abstract class InotifyContract extends BindingContract {

    private static final int BUFFER_SIZE = 1024;

    @TempDir
    Path directory;

    private final Linux linux;
    private int inotify;
    private MemoryBlock events;

    protected InotifyContract(Binding binding) {
        super(binding);
        this.linux = binding.linux();
    }

    @BeforeEach
    void create() {
        inotify = own(linux.inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
        events = block(BUFFER_SIZE);
    }

    @Test
    void createSetsFlags() {
        assertEquals(FileConstants.FD_CLOEXEC, posix.fcntl(inotify, FileConstants.F_GETFD, 0));
        assertFails(Errno.EAGAIN, posix.read(inotify, events.address(), BUFFER_SIZE));
        assertFails(Errno.EINVAL, linux.inotify_init1(-1));
    }

    @Test
    void reportsChangesInADirectory() throws IOException {
        int watch = ok(watch(directory.toString(), IN_CREATE | IN_MOVED_FROM | IN_MOVED_TO));
        Files.createDirectory(directory.resolve("new"));
        Files.move(directory.resolve("new"), directory.resolve("name of twenty bytes"));
        int length = (int) posix.read(inotify, events.address(), BUFFER_SIZE);

        int at = assertEvent(0, watch, IN_CREATE | IN_ISDIR, "new");
        int cookie = InotifyEvent.cookie(events.buffer(), at);
        at = assertEvent(at, watch, IN_MOVED_FROM | IN_ISDIR, "new");
        assertNotEquals(0, cookie);
        assertEquals(cookie, InotifyEvent.cookie(events.buffer(), at));
        assertEquals(length, assertEvent(at, watch, IN_MOVED_TO | IN_ISDIR, "name of twenty bytes"));
    }

    @Test
    void removedWatchIsIgnoredFromThenOn() {
        int watch = ok(watch(directory.toString(), IN_CREATE));
        ok(linux.inotify_rm_watch(inotify, watch));
        assertEquals(InotifyEvent.SIZE, posix.read(inotify, events.address(), BUFFER_SIZE));
        assertEvent(0, watch, IN_IGNORED, "");
        assertFails(Errno.EINVAL, linux.inotify_rm_watch(inotify, watch));
    }

    @Test
    void refuses() throws IOException {
        assertFails(Errno.ENOENT, watch(directory + "/none", IN_CREATE));
        assertFails(Errno.EINVAL, watch(directory.toString(), 0));
        Path file = Files.createFile(directory.resolve("file"));
        assertFails(Errno.ENOTDIR, watch(file.toString(), IN_CREATE | IN_ONLYDIR));
        assertFails(Errno.EBADF, linux.inotify_add_watch(-1, text("/").address(), IN_CREATE));
        ok(watch(file.toString(), IN_MOVED_TO));
        assertFails(Errno.EBADF, linux.inotify_rm_watch(-1, 1));
    }

    private int watch(String path, int mask) {
        return linux.inotify_add_watch(inotify, text(path).address(), mask);
    }

    /** {@return where the next event begins} */
    private int assertEvent(int at, int watch, int mask, String name) {
        assertEquals(watch, InotifyEvent.watch(events.buffer(), at));
        assertEquals(mask, InotifyEvent.mask(events.buffer(), at));
        int length = InotifyEvent.length(events.buffer(), at);
        assertEquals(name, text(events, at + InotifyEvent.NAME, length).replace("\0", ""));
        return at + InotifyEvent.SIZE + length;
    }
}
