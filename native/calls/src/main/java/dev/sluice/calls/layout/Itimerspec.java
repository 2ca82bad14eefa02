package dev.sluice.calls.layout;

/** When a timer of the system expires first, and at what intervals after that. */
@CStruct(value = "struct itimerspec", headers = "time.h", on = On.LINUX)
public final class Itimerspec {

    public static final int SIZE = 32;
    @CName("it_interval")
    public static final int INTERVAL = 0;
    @CName("it_value")
    public static final int VALUE = INTERVAL + Timespec.SIZE;

    private Itimerspec() {
    }
}
