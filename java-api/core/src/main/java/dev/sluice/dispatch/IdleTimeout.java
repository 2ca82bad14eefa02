package dev.sluice.dispatch;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.timer.TimeoutHandler;
import dev.sluice.timer.Timer;
import java.time.Duration;

/**
 * A timeout for the absence of received or sent data. A message needs neither a timer operation nor a read of the
 * clock, because a periodic timer compares counters of the activity.
 */
public abstract class IdleTimeout implements TimeoutHandler {

    /** Number of comparisons per timeout. */
    private static final int PARTS = 4;

    private final Interest direction;
    /** The periodic timer. Volatile, because if several threads dispatch, another one may cancel it at any time. */
    private volatile Timer timer;
    private long seen;
    private int idleParts;

    /** Creates a timeout for received data, for sent data, or for both. */
    protected IdleTimeout(Interest direction) {
        this.direction = direction;
    }

    /** {@return a number that changes when data is received} */
    protected abstract long received();

    /** {@return a number that changes when data is sent} */
    protected abstract long sent();

    /** Schedules this as the handler of a periodic timer. Returns the timer. */
    protected abstract Timer schedule(Duration period);

    /** Called when there has been no activity for the whole time. */
    protected abstract void idle();

    protected final Interest direction() {
        return direction;
    }

    /** Starts the timeout, with a time of more than zero. */
    public final void begin(long nanos) {
        seen = activity();
        // Rounded up, because the timeout must not elapse early.
        timer = schedule(Duration.ofNanos((nanos + PARTS - 1) / PARTS));
    }

    /** Ends the timeout. May be called repeatedly, and before {@link #begin}. */
    public final void end() {
        Timer begun = timer;
        if (begun != null) {
            begun.cancel();
        }
    }

    private long activity() {
        return (direction.contains(Interest.READ) ? received() : 0) + (direction.contains(Interest.WRITE) ? sent() : 0);
    }

    /** {@return whether there has been no activity since the last comparison} */
    protected final boolean isIdle() {
        return activity() == seen;
    }

    @Override
    public void handleTimeout(Object token) {
        compare();
    }

    /** Called when a part of the time has elapsed. */
    protected final void compare() {
        if (!isIdle()) {
            seen = activity();
            idleParts = 0;
        } else if (++idleParts == PARTS) {
            idleParts = 0;
            idle();
        }
    }
}
