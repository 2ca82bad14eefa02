package dev.sluice.calls.layout;

/** What {@code waitid} waits for, and what became of the process: values of {@link Siginfo#CODE}. */
@CConstants(headers = {"sys/wait.h", "signal.h"}, on = On.LINUX)
public final class WaitConstants {

    public static final int P_PIDFD = 3;

    public static final int WNOHANG = 1;
    public static final int WSTOPPED = 2;
    public static final int WEXITED = 4;
    public static final int WNOWAIT = 0x1000000;

    public static final int CLD_EXITED = 1;
    public static final int CLD_KILLED = 2;
    public static final int CLD_DUMPED = 3;
    public static final int CLD_STOPPED = 5;

    private WaitConstants() {
    }
}
