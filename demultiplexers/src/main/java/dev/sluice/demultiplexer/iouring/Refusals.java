package dev.sluice.demultiplexer.iouring;

import dev.sluice.calls.Errno;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How to deal with a kernel that accepts no requests for the moment: it lacks memory, or wants completions to be taken
 * first (EAGAIN and EBUSY, io_uring_enter(2)). Asking again at once could keep a processor busy for as long as that
 * lasts, and asking forever could hold up a thread. Used by the thread that uses the ring.
 */
final class Refusals {

    private static final int MOST = 1_000;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    int inSuccession;

    /**
     * Pauses after a refusal.
     *
     * @param result   the result of the call
     * @param progress whether it has brought completions
     * @return the result, or 0 for a refusal after which the call should be repeated
     */
    int after(int result, boolean progress) {
        boolean refused = Errno.EBUSY.is(result) || Errno.EAGAIN.is(result);
        if (!refused || progress) {
            inSuccession = 0;
            return refused ? 0 : result;
        }
        if (inSuccession == MOST) {
            return result;
        }
        inSuccession++;
        LockSupport.parkNanos(this, PAUSE_NANOS);
        return 0;
    }
}
