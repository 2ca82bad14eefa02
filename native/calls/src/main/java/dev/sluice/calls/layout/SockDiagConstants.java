package dev.sluice.calls.layout;

/** Places in the array of {@code int} that is the value of {@code SO_MEMINFO}. */
@CConstants(headers = "linux/sock_diag.h", on = On.LINUX)
public final class SockDiagConstants {

    public static final int SK_MEMINFO_DROPS = 8;
    public static final int SK_MEMINFO_VARS = 9;

    private SockDiagConstants() {
    }
}
