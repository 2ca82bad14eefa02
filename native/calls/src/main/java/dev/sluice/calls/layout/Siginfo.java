package dev.sluice.calls.layout;

import java.nio.ByteBuffer;

/** What {@code waitid} tells of a child process; the members of other signals are left out. */
@CStruct(value = "siginfo_t", headers = "signal.h", on = On.LINUX)
public final class Siginfo {

    public static final int SIZE = 128;
    @CName("si_code")
    public static final int CODE = 8;
    @CName("si_pid")
    public static final int PID = 16;
    @CName("si_status")
    public static final int STATUS = 24;

    private Siginfo() {
    }

    /** {@return what became of the process, of {@link WaitConstants}} */
    public static int code(ByteBuffer memory, int at) {
        return memory.getInt(at + CODE);
    }

    /** {@return the process, 0 if there was nothing to tell} */
    public static int pid(ByteBuffer memory, int at) {
        return memory.getInt(at + PID);
    }

    /** {@return what the process returned, or the signal that ended or stopped it} */
    public static int status(ByteBuffer memory, int at) {
        return memory.getInt(at + STATUS);
    }
}
