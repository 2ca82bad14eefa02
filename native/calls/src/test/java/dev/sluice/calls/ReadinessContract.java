package dev.sluice.calls;

import static dev.sluice.calls.layout.PollConstants.POLLHUP;
import static dev.sluice.calls.layout.PollConstants.POLLIN;
import static dev.sluice.calls.layout.PollConstants.POLLNVAL;
import static dev.sluice.calls.layout.PollConstants.POLLOUT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.layout.FdSet;
import dev.sluice.calls.layout.Pollfd;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.calls.layout.Timeval;
import org.junit.jupiter.api.Test;

/** Waiting with {@code select} and {@code poll}. */
public abstract class ReadinessContract extends BindingContract {

    private static final int MILLIS = 1_000_000;

    protected ReadinessContract(Binding binding) {
        super(binding);
    }

    @Test
    void selectReportsReadableDescriptors() {
        int[] quiet = pipe();
        int[] loud = pipe();
        assertEquals(1, posix.write(loud[1], block(1).address(), 1));
        MemoryBlock read = set(quiet[0], loud[0]);
        assertEquals(1, posix.select(1 + Math.max(quiet[0], loud[0]), read.address(), 0, 0, 0));
        assertTrue(FdSet.isSet(read.buffer(), 0, loud[0]));
        assertFalse(FdSet.isSet(read.buffer(), 0, quiet[0]));
    }

    @Test
    void selectKeepsTheThreeSetsApart() {
        int[] ends = socketPair(SocketConstants.SOCK_STREAM);
        assertEquals(1, posix.send(ends[1], block(1).address(), 1, 0));
        MemoryBlock read = set(ends);
        MemoryBlock write = set(ends);
        MemoryBlock except = set(ends);
        assertEquals(3, posix.select(1 + Math.max(ends[0], ends[1]), read.address(), write.address(), except.address(),
                time(0)));
        assertTrue(FdSet.isSet(read.buffer(), 0, ends[0]));
        assertFalse(FdSet.isSet(read.buffer(), 0, ends[1]));
        assertTrue(FdSet.isSet(write.buffer(), 0, ends[0]));
        assertTrue(FdSet.isSet(write.buffer(), 0, ends[1]));
        assertFalse(FdSet.isSet(except.buffer(), 0, ends[0]));
    }

    @Test
    void selectWaitsAsLongAsAsked() {
        int[] pipe = pipe();
        MemoryBlock read = set(pipe[0]);
        long start = System.nanoTime();
        assertEquals(0, posix.select(pipe[0] + 1, read.address(), 0, 0, time(20L * MILLIS)));
        assertWaited(20, start);
        assertFalse(FdSet.isSet(read.buffer(), 0, pipe[0]));
        assertEquals(0, posix.select(0, 0, 0, 0, time(0)));
    }

    @Test
    void selectRefuses() {
        assertFails(Errno.EINVAL, posix.select(-1, 0, 0, 0, time(0)));
        int closed = pipe()[0];
        close(closed);
        assertFails(Errno.EBADF, posix.select(closed + 1, set(closed).address(), 0, 0, time(0)));
    }

    @Test
    void pollReportsEachEvent() {
        int[] open = pipe();
        int[] hungUp = pipe();
        close(hungUp[1]);
        // Not one that has been closed, which the JVM may have opened again.
        int neverOpen = Integer.MAX_VALUE;
        assertEquals(1, posix.write(open[1], block(1).address(), 1));
        MemoryBlock list = list(POLLIN | POLLOUT, open[0], open[1], hungUp[0], neverOpen, -1);
        assertEquals(4, posix.poll(list.address(), 5, -1));
        assertEquals(POLLIN, revents(list, 0));
        assertEquals(POLLOUT, revents(list, 1));
        assertEquals(POLLHUP, revents(list, 2));
        assertEquals(POLLNVAL, revents(list, 3));
        assertEquals(0, revents(list, 4));
    }

    @Test
    void pollLooksAtTheFirstOnesOnly() {
        int[] pipe = pipe();
        MemoryBlock list = list(POLLOUT, pipe[1], pipe[1]);
        assertEquals(1, posix.poll(list.address(), 1, 0));
        assertEquals(0, revents(list, 1));
    }

    @Test
    void pollWaitsAsLongAsAsked() {
        MemoryBlock list = list(POLLIN, pipe()[0]);
        long start = System.nanoTime();
        assertEquals(0, posix.poll(list.address(), 1, 20));
        assertWaited(20, start);
    }

    @Test
    void pollRefuses() {
        assertFails(Errno.EINVAL, posix.poll(block(1).address(), Integer.MAX_VALUE, 0));
        assertFails(Errno.EFAULT, posix.poll(0, 1, 0));
    }

    private MemoryBlock set(int... fds) {
        MemoryBlock set = block(FdSet.SIZE);
        for (int fd : fds) {
            FdSet.set(set.buffer(), 0, fd);
        }
        return set;
    }

    private long time(long nanos) {
        MemoryBlock time = block(Timeval.SIZE);
        Timeval.set(time.buffer(), 0, nanos);
        return time.address();
    }

    private MemoryBlock list(int events, int... fds) {
        MemoryBlock list = block(fds.length * Pollfd.SIZE);
        for (int i = 0; i < fds.length; i++) {
            Pollfd.set(list.buffer(), i * Pollfd.SIZE, fds[i], events);
        }
        return list;
    }

    private static int revents(MemoryBlock list, int index) {
        return Pollfd.revents(list.buffer(), index * Pollfd.SIZE);
    }

    private static void assertWaited(int millis, long start) {
        long waited = System.nanoTime() - start;
        assertTrue(waited >= (long) millis * MILLIS, () -> "waited only " + waited + " ns");
    }
}
