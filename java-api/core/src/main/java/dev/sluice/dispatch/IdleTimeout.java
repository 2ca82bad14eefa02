package dev.sluice.dispatch;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.timer.TimeoutHandler;
import dev.sluice.timer.Timer;
import java.time.Duration;

/**
 * Notices when nothing has been received or sent for a while. A message costs neither a timer nor a look at the clock:
 * a periodic timer compares how often hooks have been called.
 */
final class IdleTimeout implements TimeoutHandler {

    /** How often in a duration it compares. */
    private static final int PARTS = 4;

    private final HandlerEntry entry;
    private final Interest direction;
    /** Volatile, since where several threads dispatch another one may cancel it at any time. */
    private volatile Timer timer;
    private int seen;
    private int idleParts;

    IdleTimeout(HandlerEntry entry, Interest direction) {
        this.entry = entry;
        this.direction = direction;
    }

    void begin(long nanos) {
        seen = entry.activity(direction);
        Duration part = Duration.ofNanos(Math.max(1, nanos / PARTS));
        timer = entry.dispatcher().schedule(this, null, part, part);
    }

    void end() {
        Timer begun = timer;
        if (begun != null) {
            begun.cancel();
        }
    }

    @Override
    public void handleTimeout(Object token) {
        int now = entry.activity(direction);
        if (now != seen) {
            seen = now;
            idleParts = 0;
        } else if (++idleParts == PARTS) {
            idleParts = 0;
            entry.dispatchIdle(direction, now);
        }
    }

    /** {@return for example {@code idle timeout for READ of tcp 127.0.0.1:40000}} */
    @Override
    public String toString() {
        return "idle timeout for " + direction + " of " + entry.handle();
    }
}
