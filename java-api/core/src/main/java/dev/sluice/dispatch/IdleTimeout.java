package dev.sluice.dispatch;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.timer.TimeoutHandler;
import dev.sluice.timer.Timer;
import java.time.Duration;

/**
 * Notices when nothing has been received or sent for a while. A message costs neither a timer nor a look at the clock:
 * a periodic timer compares how much has passed.
 */
public abstract class IdleTimeout implements TimeoutHandler {

    /** How often in a duration it compares. */
    private static final int PARTS = 4;

    private final Interest direction;
    /** Volatile, since where several threads dispatch another one may cancel it at any time. */
    private volatile Timer timer;
    private long seen;
    private int idleParts;

    /** Creates a timeout for what is received, for what is sent, or for both. */
    protected IdleTimeout(Interest direction) {
        this.direction = direction;
    }

    /** {@return a number that differs after something was received} */
    protected abstract long received();

    /** {@return a number that differs after something was sent} */
    protected abstract long sent();

    /** {@return a periodic timer that has this called} */
    protected abstract Timer schedule(Duration period);

    /** Nothing has passed for the whole time. */
    protected abstract void idle();

    protected final Interest direction() {
        return direction;
    }

    /** Begins, with a time of more than zero. */
    public final void begin(long nanos) {
        seen = activity();
        // Rounded up: it must not be over early.
        timer = schedule(Duration.ofNanos((nanos + PARTS - 1) / PARTS));
    }

    /** Ends it. May be called again, and before it has begun. */
    public final void end() {
        Timer begun = timer;
        if (begun != null) {
            begun.cancel();
        }
    }

    private long activity() {
        return (direction.contains(Interest.READ) ? received() : 0) + (direction.contains(Interest.WRITE) ? sent() : 0);
    }

    /** {@return whether nothing has passed since it was compared last} */
    protected final boolean isIdle() {
        return activity() == seen;
    }

    @Override
    public void handleTimeout(Object token) {
        compare();
    }

    /** A part of the time is over. */
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
