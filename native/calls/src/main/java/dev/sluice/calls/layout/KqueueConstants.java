package dev.sluice.calls.layout;

import dev.sluice.calls.PerSystem;

/**
 * Filters, actions, flags and notes of kqueue; {@link PerSystem#NONE} where a system lacks one.
 *
 * <p>libkqueue, which provides kqueue on Linux, uses FreeBSD's numbers.
 */
@CConstants(headers = {"sys/types.h", "sys/event.h"}, on = On.BSD)
public final class KqueueConstants {

    public static final int EVFILT_READ = -1;
    public static final int EVFILT_WRITE = -2;
    /** In OpenBSD since 7.8; before that, {@code EV_ADD} fails with {@code EINVAL}. */
    public static final int EVFILT_USER = PerSystem.of(-11, -10, -11, -10);
    /** FreeBSD and libkqueue have no event for urgent data. */
    public static final int EVFILT_EXCEPT = PerSystem.of(PerSystem.NONE, -15, PerSystem.NONE, -9);

    public static final int EV_ADD = 1;
    public static final int EV_DELETE = 2;
    public static final int EV_ENABLE = 4;
    public static final int EV_CLEAR = 0x20;
    public static final int EV_DISPATCH = 0x80;
    public static final int EV_ERROR = 0x4000;
    public static final int EV_EOF = 0x8000;

    public static final int NOTE_OOB = PerSystem.of(PerSystem.NONE, 2, PerSystem.NONE, 4);
    public static final int NOTE_TRIGGER = 0x1000000;

    private KqueueConstants() {
    }
}
