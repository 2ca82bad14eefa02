package dev.sluice.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.calls.Errno;
import dev.sluice.calls.Platform.Os;
import dev.sluice.deadline.Deadline;
import dev.sluice.testing.Depth;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag(Depth.BINDING)
@Tag(Depth.IN_QUICK)
@EnabledOnOs(OS.LINUX)
class TimerfdTest extends LeakChecked {

    private static final Duration LONG = Duration.ofHours(10);

    private static long awaitExpiration(Timerfd timer) throws Exception {
        assertTrue(timer.handle().await(true, Deadline.in(Patience.LIMIT)), "it does not expire");
        return timer.expirations();
    }

    @ParameterizedTest
    @EnumSource
    void expiresOnce(TimerClock clock) throws Exception {
        Timerfd timer = own(Timerfd.open(clock));
        assertEquals(0, timer.expirations());
        assertEquals(Duration.ZERO, timer.remaining());
        timer.set(Duration.ofMillis(1));
        assertEquals(1, awaitExpiration(timer));
        assertEquals(0, timer.expirations());
        assertEquals(Duration.ZERO, timer.remaining());
    }

    /** To the system a delay of 0 means never. */
    @Test
    void noDelayIsAtOnce() throws Exception {
        Timerfd timer = own(Timerfd.open(TimerClock.MONOTONIC));
        timer.set(Duration.ZERO);
        assertEquals(1, awaitExpiration(timer));
    }

    @Test
    void noIntervalIsOnceAndTheShortestIsCountedWithoutAWait() throws Exception {
        Timerfd timer = own(Timerfd.open(TimerClock.MONOTONIC));
        timer.set(Duration.ofNanos(1), Duration.ZERO);
        assertEquals(1, awaitExpiration(timer));
        assertEquals(Duration.ZERO, timer.remaining());
        timer.set(Duration.ofNanos(1), Duration.ofNanos(1));
        assertTrue(awaitExpiration(timer) > 1);
        timer.cancel();
        assertEquals(0, timer.expirations());
    }

    @Test
    void expiresAgainAndAgain() throws Exception {
        Timerfd timer = own(Timerfd.open(TimerClock.MONOTONIC));
        timer.set(Duration.ofMillis(1), Duration.ofMillis(2));
        long count = 0;
        for (int i = 0; i < 5; i++) {
            count += awaitExpiration(timer);
        }
        assertTrue(count >= 5, "expirations");
    }

    @Test
    void expiresAtATimeOfDay() throws Exception {
        Timerfd timer = own(Timerfd.open(TimerClock.REALTIME));
        Instant time = Instant.now().plusMillis(5);
        timer.setAt(time, Duration.ZERO);
        assertEquals(1, awaitExpiration(timer));
        assertTrue(!Instant.now().isBefore(time), "it has expired too early");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1970-01-01T00:00:00Z", "1969-12-31T23:59:59.5Z", "-1000000000-01-01T00:00:00Z",
            "2000-01-01T00:00:00Z"})
    void aTimeOfDayThatIsOverIsAtOnce(Instant time) throws Exception {
        Timerfd timer = own(Timerfd.open(TimerClock.REALTIME));
        timer.setAt(time, Duration.ZERO);
        assertEquals(1, awaitExpiration(timer));
    }

    @Test
    void isSetAnew() throws Exception {
        Timerfd timer = own(Timerfd.open(TimerClock.MONOTONIC));
        timer.set(LONG);
        Duration left = timer.remaining();
        assertTrue(left.compareTo(LONG) <= 0 && left.compareTo(LONG.minusHours(1)) > 0, left::toString);
        timer.set(Duration.ofNanos(1));
        assertTrue(timer.handle().await(true, Deadline.in(Patience.LIMIT)));
        timer.set(LONG);
        assertEquals(0, timer.expirations(), "what nobody has taken is forgotten");
        timer.cancel();
        assertEquals(Duration.ZERO, timer.remaining());
    }

    @Test
    void theLongestDelayIsOne() throws Exception {
        Timerfd timer = own(Timerfd.open(TimerClock.REALTIME));
        Duration longest = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
        timer.set(longest, longest);
        timer.setAt(Instant.MAX, longest);
        assertEquals(0, timer.expirations());
    }

    @Test
    void wrongArguments() throws Exception {
        Timerfd timer = own(Timerfd.open(TimerClock.MONOTONIC));
        timer.set(LONG);
        Duration negative = Duration.ofNanos(-1);
        assertThrows(IllegalArgumentException.class, () -> timer.set(negative));
        assertThrows(IllegalArgumentException.class, () -> timer.set(LONG, negative));
        assertThrows(IllegalStateException.class, () -> timer.setAt(Instant.now(), Duration.ZERO));
        assertThrows(NullPointerException.class, () -> Timerfd.open(null));
        assertTrue(timer.remaining().compareTo(Duration.ZERO) > 0, "it is still set");
    }

    @Test
    void useAfterTheClose() throws Exception {
        Timerfd timer = own(Timerfd.open(TimerClock.MONOTONIC));
        timer.close();
        timer.close();
        assertThrows(HandleClosedException.class, () -> timer.set(LONG));
        assertThrows(HandleClosedException.class, timer::expirations);
        assertThrows(HandleClosedException.class, timer::remaining);
    }

    @Test
    void failures() throws Exception {
        try (FaultInjection faults = FaultInjection.install()) {
            faults.failNth("timerfd_create", 1, Errno.EMFILE);
            SystemCallException e = assertThrows(SystemCallException.class, () -> Timerfd.open(TimerClock.BOOTTIME));
            assertEquals("timerfd_create timer: EMFILE (too many open files in this process)", e.getMessage());
            Timerfd timer = own(Timerfd.open(TimerClock.BOOTTIME));
            faults.failNth("timerfd_settime", 1, Errno.ENOMEM).failNth("timerfd_gettime", 1, Errno.ENOMEM)
                    .failNth("read", 1, Errno.EINTR).failNth("read", 3, Errno.ECANCELED);
            e = assertThrows(SystemCallException.class, () -> timer.set(LONG));
            assertEquals("timerfd_settime " + timer + ": ENOMEM (out of memory)", e.getMessage());
            assertThrows(SystemCallException.class, timer::remaining);
            assertEquals(0, timer.expirations());
            assertEquals(2, faults.calls("read"), "an interrupted call is repeated");
            assertThrows(SystemCallException.class, timer::expirations);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Os.class, names = {"MACOS", "FREEBSD", "OPENBSD"})
    void otherSystemsHaveNone(Os other) {
        try (OtherSystem system = OtherSystem.play(other)) {
            UnsupportedOperationException e = assertThrows(UnsupportedOperationException.class,
                    () -> Timerfd.open(TimerClock.MONOTONIC));
            assertEquals("a timer that is a handle needs Linux, and this is " + other.title()
                    + "; use the timers of the event loop", e.getMessage());
        }
    }
}
