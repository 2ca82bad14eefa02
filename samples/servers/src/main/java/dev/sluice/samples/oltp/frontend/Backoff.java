package dev.sluice.samples.oltp.frontend;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** The pauses between attempts: they double up to a limit, and vary, so that many clients do not come back at once. */
final class Backoff {

    private static final long SHORTEST_MILLIS = 50;
    private static final long LONGEST_MILLIS = 2_000;

    private long millis = SHORTEST_MILLIS;

    /** {@return the next pause, from half of the current one to all of it} */
    Duration next() {
        long pause = ThreadLocalRandom.current().nextLong(millis / 2, millis + 1);
        millis = Math.min(2 * millis, LONGEST_MILLIS);
        return Duration.ofMillis(pause);
    }

    /** An attempt has succeeded. */
    void reset() {
        millis = SHORTEST_MILLIS;
    }
}
