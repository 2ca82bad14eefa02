package dev.sluice.calls;

import static dev.sluice.calls.layout.TimerfdConstants.CLOCK_MONOTONIC;
import static dev.sluice.calls.layout.TimerfdConstants.CLOCK_REALTIME;
import static dev.sluice.calls.layout.TimerfdConstants.TFD_CLOEXEC;
import static dev.sluice.calls.layout.TimerfdConstants.TFD_NONBLOCK;
import static dev.sluice.calls.layout.TimerfdConstants.TFD_TIMER_ABSTIME;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.Itimerspec;
import dev.sluice.calls.layout.Timespec;
import org.junit.jupiter.api.Test;

/** Timers with a descriptor. */
public abstract class TimerfdContract extends BindingContract {

    private final Linux linux;

    protected TimerfdContract(Binding binding) {
        super(binding);
        this.linux = binding.linux();
    }

    @Test
    void createSetsFlags() {
        int timer = own(linux.timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC));
        assertEquals(FileConstants.FD_CLOEXEC, posix.fcntl(timer, FileConstants.F_GETFD, 0));
        assertEquals(FileConstants.O_NONBLOCK,
                posix.fcntl(timer, FileConstants.F_GETFL, 0) & FileConstants.O_NONBLOCK);
        assertEquals(0, posix.fcntl(own(linux.timerfd_create(CLOCK_REALTIME, 0)), FileConstants.F_GETFD, 0));
        assertFails(Errno.EINVAL, linux.timerfd_create(CLOCK_MONOTONIC, -1));
        assertFails(Errno.EINVAL, linux.timerfd_create(-1, 0));
    }

    @Test
    void countsExpirations() {
        int timer = own(linux.timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC));
        MemoryBlock memory = block(2 * Itimerspec.SIZE);
        Timespec.set(memory.buffer(), Itimerspec.INTERVAL, 1_000_000);
        Timespec.set(memory.buffer(), Itimerspec.VALUE, 3, 5);
        ok(linux.timerfd_settime(timer, 0, memory.address(), 0));
        ok(linux.timerfd_gettime(timer, memory.address() + Itimerspec.SIZE));
        assertEquals(1_000_000, Timespec.nanos(memory.buffer(), Itimerspec.SIZE + Itimerspec.INTERVAL));
        long left = Timespec.seconds(memory.buffer(), Itimerspec.SIZE + Itimerspec.VALUE);
        assertTrue(left >= 0 && left <= 3, () -> left + " s left");

        Timespec.set(memory.buffer(), Itimerspec.VALUE, 1);
        MemoryBlock previous = block(Itimerspec.SIZE);
        ok(linux.timerfd_settime(timer, 0, memory.address(), previous.address()));
        assertEquals(1_000_000, Timespec.nanos(previous.buffer(), Itimerspec.INTERVAL));
        assertEquals(8, posix.read(timer, memory.address(), 8));
        assertTrue(memory.buffer().getLong(0) >= 1, () -> memory.buffer().getLong(0) + " expirations");
    }

    @Test
    void takesATimeOfTheClock() {
        int timer = own(linux.timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC));
        MemoryBlock memory = block(Itimerspec.SIZE);
        Timespec.set(memory.buffer(), Itimerspec.VALUE, 1, 0);
        ok(linux.timerfd_settime(timer, TFD_TIMER_ABSTIME, memory.address(), 0));
        assertEquals(8, posix.read(timer, memory.address(), 8));
        assertEquals(1, memory.buffer().getLong(0), "the first second of 1970 is over");
        assertFails(Errno.EAGAIN, posix.read(timer, memory.address(), 8));
    }

    @Test
    void refuses() {
        int timer = own(linux.timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC));
        MemoryBlock memory = block(Itimerspec.SIZE);
        Timespec.set(memory.buffer(), Itimerspec.VALUE, 0, 1_000_000_000);
        assertFails(Errno.EINVAL, linux.timerfd_settime(timer, 0, memory.address(), 0));
        Timespec.set(memory.buffer(), Itimerspec.VALUE, 1);
        assertFails(Errno.EBADF, linux.timerfd_settime(-1, 0, memory.address(), 0));
        assertFails(Errno.EBADF, linux.timerfd_gettime(-1, memory.address()));
        assertFails(Errno.EINVAL, linux.timerfd_gettime(pipe()[0], memory.address()));
    }
}
