package dev.sluice.calls.layout;

/** Event bits of {@code poll}. */
@CConstants(headers = "poll.h")
public final class PollConstants {

    public static final int POLLIN = 1;
    public static final int POLLPRI = 2;
    public static final int POLLOUT = 4;
    public static final int POLLERR = 8;
    public static final int POLLHUP = 0x10;
    public static final int POLLNVAL = 0x20;
    public static final int POLLRDBAND = 0x80;

    private PollConstants() {
    }
}
