package dev.sluice.calls;

import static dev.sluice.calls.layout.EpollConstants.EPOLLHUP;
import static dev.sluice.calls.layout.EpollConstants.EPOLLIN;
import static dev.sluice.calls.layout.EpollConstants.EPOLLONESHOT;
import static dev.sluice.calls.layout.EpollConstants.EPOLLOUT;
import static dev.sluice.calls.layout.EpollConstants.EPOLL_CLOEXEC;
import static dev.sluice.calls.layout.EpollConstants.EPOLL_CTL_ADD;
import static dev.sluice.calls.layout.EpollConstants.EPOLL_CTL_DEL;
import static dev.sluice.calls.layout.EpollConstants.EPOLL_CTL_MOD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.layout.EpollEvent;
import dev.sluice.calls.layout.FileConstants;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Waiting with epoll. */
public abstract class EpollContract extends BindingContract {

    /** Each byte differs, so that none can be lost or swapped unseen. */
    private static final long DATA = 0x0123456789ABCDEFL;

    private final Linux linux;
    private int epoll;
    private MemoryBlock events;

    protected EpollContract(Binding binding) {
        super(binding);
        this.linux = binding.linux();
    }

    @BeforeEach
    void create() {
        epoll = own(linux.epoll_create1(EPOLL_CLOEXEC));
        events = block(4 * EpollEvent.SIZE);
    }

    @Test
    void createSetsTheFlag() {
        assertEquals(FileConstants.FD_CLOEXEC, posix.fcntl(epoll, FileConstants.F_GETFD, 0));
        assertEquals(0, posix.fcntl(own(linux.epoll_create1(0)), FileConstants.F_GETFD, 0));
        assertFails(Errno.EINVAL, linux.epoll_create1(-1));
    }

    @Test
    void givesBackAllBytesOfTheData() {
        int[] pipe = pipe();
        ok(control(EPOLL_CTL_ADD, pipe[1], EPOLLOUT, DATA));
        assertEquals(1, linux.epoll_wait(epoll, events.address(), 4, -1));
        assertEquals(EPOLLOUT, EpollEvent.events(events.buffer(), 0));
        assertEquals(DATA, EpollEvent.data(events.buffer(), 0));
    }

    @Test
    void reportsSeveralReadyDescriptors() {
        Map<Long, Integer> expected = Map.of(DATA, EPOLLIN, -DATA, EPOLLOUT, -1L, EPOLLHUP);
        int[] pipe = pipe();
        int[] hungUp = pipe();
        close(hungUp[1]);
        assertEquals(1, posix.write(pipe[1], block(1).address(), 1));
        ok(control(EPOLL_CTL_ADD, pipe[0], EPOLLIN, DATA));
        ok(control(EPOLL_CTL_ADD, pipe[1], EPOLLOUT, -DATA));
        ok(control(EPOLL_CTL_ADD, hungUp[0], EPOLLIN, -1));
        assertEquals(3, linux.epoll_wait(epoll, events.address(), 4, -1));
        Map<Long, Integer> reported = new HashMap<>();
        for (int i = 0; i < 3; i++) {
            int at = i * EpollEvent.SIZE;
            reported.put(EpollEvent.data(events.buffer(), at), EpollEvent.events(events.buffer(), at));
        }
        assertEquals(expected, reported);
    }

    @Test
    void fillsInNoMoreThanAskedFor() {
        for (int i = 0; i < 3; i++) {
            ok(control(EPOLL_CTL_ADD, pipe()[1], EPOLLOUT, DATA));
        }
        assertEquals(2, linux.epoll_wait(epoll, events.address(), 2, -1));
        for (int i = 2 * EpollEvent.SIZE; i < 4 * EpollEvent.SIZE; i++) {
            assertEquals(0, events.buffer().get(i), "byte " + i);
        }
    }

    @Test
    void oneShotIsQuietUntilModified() {
        int[] pipe = pipe();
        ok(control(EPOLL_CTL_ADD, pipe[1], EPOLLOUT | EPOLLONESHOT, 1));
        assertEquals(1, linux.epoll_wait(epoll, events.address(), 4, 0));
        assertEquals(0, linux.epoll_wait(epoll, events.address(), 4, 0));
        ok(control(EPOLL_CTL_MOD, pipe[1], EPOLLOUT | EPOLLONESHOT, 2));
        assertEquals(1, linux.epoll_wait(epoll, events.address(), 4, 0));
        assertEquals(2, EpollEvent.data(events.buffer(), 0));
        ok(linux.epoll_ctl(epoll, EPOLL_CTL_DEL, pipe[1], 0));
        assertFails(Errno.ENOENT, control(EPOLL_CTL_MOD, pipe[1], EPOLLOUT, 3));
    }

    @Test
    void waitsAsLongAsAsked() {
        long start = System.nanoTime();
        assertEquals(0, linux.epoll_wait(epoll, events.address(), 4, 20));
        long waited = System.nanoTime() - start;
        assertTrue(waited >= 20_000_000, () -> "waited only " + waited + " ns");
    }

    @Test
    void refuses(@TempDir Path directory) {
        int[] pipe = pipe();
        ok(control(EPOLL_CTL_ADD, pipe[0], EPOLLIN, DATA));
        assertFails(Errno.EEXIST, control(EPOLL_CTL_ADD, pipe[0], EPOLLIN, DATA));
        assertFails(Errno.ENOENT, control(EPOLL_CTL_DEL, pipe[1], 0, 0));
        assertFails(Errno.EBADF, control(EPOLL_CTL_ADD, -1, EPOLLIN, DATA));
        assertFails(Errno.EINVAL, control(EPOLL_CTL_ADD, epoll, EPOLLIN, DATA));
        assertFails(Errno.EINVAL, linux.epoll_wait(epoll, events.address(), 0, 0));
        assertFails(Errno.EINVAL, linux.epoll_wait(pipe[0], events.address(), 1, 0));
        int file = own(posix.open(text(directory + "/file").address(), FileConstants.O_RDWR | FileConstants.O_CREAT,
                0600));
        assertFails(Errno.EPERM, control(EPOLL_CTL_ADD, file, EPOLLIN, DATA));
    }

    private int control(int operation, int fd, int wanted, long data) {
        MemoryBlock event = block(EpollEvent.SIZE);
        EpollEvent.set(event.buffer(), 0, wanted, data);
        return linux.epoll_ctl(epoll, operation, fd, event.address());
    }
}
