package dev.sluice.handle;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Linux;
import dev.sluice.calls.layout.Itimerspec;
import dev.sluice.calls.layout.TimerfdConstants;
import dev.sluice.calls.layout.Timespec;
import dev.sluice.system.OperatingSystem;
import dev.sluice.system.Scratch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * A timer of Linux that is a handle (timerfd_create(2)): ready for reading once it has expired, until the
 * {@linkplain #expirations() expirations} are taken.
 *
 * <p>The timers of an event loop cost no system call and no descriptor; use those for timeouts. This one is for what
 * they cannot do: to be exact to less than a millisecond, to expire at a time of day even if the clock is set
 * meanwhile, to count the time of a suspended machine, to go on while nobody looks.
 *
 * <p>All methods may be called from any thread; of two threads that take the expirations, each gets some.
 */
public final class Timerfd implements Closeable {

    private final Handle handle;
    private final Linux linux;
    private final TimerClock clock;

    private Timerfd(Handle handle, Linux linux, TimerClock clock) {
        this.handle = handle;
        this.linux = linux;
        this.clock = clock;
    }

    /**
     * Opens a timer that is not set.
     *
     * @param clock what it goes by
     * @return the timer; the caller closes it
     * @throws UnsupportedOperationException if the system is not Linux
     * @throws SystemCallException           if the system has no more descriptors
     */
    public static Timerfd open(TimerClock clock) throws IOException {
        Objects.requireNonNull(clock, "clock");
        Binding binding = Bindings.current();
        Linux linux = OperatingSystem.of(binding).linux("a timer that is a handle", "the timers of the event loop");
        int fd = linux.timerfd_create(clock.number(), TimerfdConstants.TFD_NONBLOCK | TimerfdConstants.TFD_CLOEXEC);
        if (fd < 0) {
            throw new SystemCallException("timerfd_create", "timer", fd);
        }
        Handle handle = Handle.owning(binding, fd, false, "timer");
        try {
            return new Timerfd(handle, linux, clock);
        } catch (Throwable e) {
            handle.close();
            throw e;
        }
    }

    /** {@return the handle} */
    public Handle handle() {
        return handle;
    }

    /**
     * Has it expire once. What it was set to before, and expirations that nobody has taken, are forgotten.
     *
     * @param delay from now; 0 is at once
     * @throws IllegalArgumentException if it is negative
     * @throws HandleClosedException    if the timer is closed
     */
    public void set(Duration delay) throws IOException {
        set(delay, Duration.ZERO);
    }

    /**
     * Has it expire again and again. What it was set to before, and expirations that nobody has taken, are forgotten.
     *
     * @param delay    from now to the first time; 0 is at once
     * @param interval from each time to the next; 0 if there is none, otherwise however short: that many expirations
     *                 are counted, and not waited for
     * @throws IllegalArgumentException if one of them is negative
     * @throws HandleClosedException    if the timer is closed
     */
    public void set(Duration delay, Duration interval) throws IOException {
        requirePositive("delay", delay);
        set(0, delay.getSeconds(), delay.getNano(), interval);
    }

    /**
     * Has it expire at a time of day, and if the clock is set, when that says so. What it was set to before, and
     * expirations that nobody has taken, are forgotten.
     *
     * @param time     the first time; one that is over is at once
     * @param interval from each time to the next, 0 if there is none
     * @throws IllegalStateException    if the timer does not go by {@link TimerClock#REALTIME}
     * @throws IllegalArgumentException if the interval is negative
     * @throws HandleClosedException    if the timer is closed
     */
    public void setAt(Instant time, Duration interval) throws IOException {
        if (clock != TimerClock.REALTIME) {
            throw new IllegalStateException(this + " goes by " + clock + ", and only one of " + TimerClock.REALTIME
                    + " knows the time of day");
        }
        boolean ancient = time.getEpochSecond() < 0;
        set(TimerfdConstants.TFD_TIMER_ABSTIME, ancient ? 0 : time.getEpochSecond(), ancient ? 0 : time.getNano(),
                interval);
    }

    private void set(int flags, long seconds, long nanos, Duration interval) throws IOException {
        requirePositive("interval", interval);
        // To the system, a time of 0 means never.
        settime(flags, seconds, seconds == 0 && nanos == 0 ? 1 : nanos, interval);
    }

    /** Unsets it: it does not expire any more. Expirations that nobody has taken are forgotten. */
    public void cancel() throws IOException {
        settime(0, 0, 0, Duration.ZERO);
    }

    private void settime(int flags, long seconds, long nanos, Duration interval) throws IOException {
        long fd = handle.acquire();
        try (Scratch scratch = Scratch.borrow(handle.binding())) {
            ByteBuffer memory = scratch.memory();
            Timespec.set(memory, Scratch.VALUE + Itimerspec.INTERVAL, interval.getSeconds(), interval.getNano());
            Timespec.set(memory, Scratch.VALUE + Itimerspec.VALUE, seconds, nanos);
            require("timerfd_settime", linux.timerfd_settime((int) fd, flags, scratch.address(Scratch.VALUE), 0));
        } finally {
            handle.release();
        }
    }

    /**
     * {@return how long it is until it expires next, 0 if it is not set}
     *
     * @throws HandleClosedException if the timer is closed
     */
    public Duration remaining() throws IOException {
        long fd = handle.acquire();
        try (Scratch scratch = Scratch.borrow(handle.binding())) {
            require("timerfd_gettime", linux.timerfd_gettime((int) fd, scratch.address(Scratch.VALUE)));
            int at = Scratch.VALUE + Itimerspec.VALUE;
            return Duration.ofSeconds(Timespec.seconds(scratch.memory(), at), Timespec.nanos(scratch.memory(), at));
        } finally {
            handle.release();
        }
    }

    /**
     * Takes the expirations, without waiting.
     *
     * @return how often it has expired since it was set or this was asked last, 0 if it has not
     * @throws HandleClosedException if the timer is closed
     */
    public long expirations() throws IOException {
        long fd = handle.acquire();
        try (Scratch scratch = Scratch.borrow(handle.binding())) {
            long result;
            do {
                result = handle.system().read(fd, scratch.address(Scratch.VALUE), Long.BYTES);
            } while (Errno.EINTR.is(result));
            if (Errno.EAGAIN.is(result)) {
                return 0;
            }
            require("read", result);
            return scratch.memory().getLong(Scratch.VALUE);
        } finally {
            handle.release();
        }
    }

    private void require(String call, long result) throws SystemCallException {
        if (result < 0) {
            throw new SystemCallException(call, handle, result);
        }
    }

    private static void requirePositive(String name, Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException(name + ": " + duration);
        }
    }

    @Override
    public void close() {
        handle.close();
    }

    @Override
    public String toString() {
        return handle.toString();
    }
}
