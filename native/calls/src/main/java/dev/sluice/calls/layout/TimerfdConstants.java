package dev.sluice.calls.layout;

/** Clocks and flags of {@code timerfd_create} and {@code timerfd_settime}. */
@CConstants(headers = {"time.h", "sys/timerfd.h"}, on = On.LINUX)
public final class TimerfdConstants {

    public static final int CLOCK_REALTIME = 0;
    public static final int CLOCK_MONOTONIC = 1;
    public static final int CLOCK_BOOTTIME = 7;

    public static final int TFD_NONBLOCK = 0x800;
    public static final int TFD_CLOEXEC = 0x80000;
    public static final int TFD_TIMER_ABSTIME = 1;

    private TimerfdConstants() {
    }
}
