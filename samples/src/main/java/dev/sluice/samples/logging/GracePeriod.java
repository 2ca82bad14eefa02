package dev.sluice.samples.logging;

import dev.sluice.samples.server.EventLoopServer;
import java.time.Duration;

/**
 * The time that a stop may take. Sources of records have most of it to finish; the rest is the writer's, so that a
 * client without end does not cost others the records that wait to be written. For the thread that stops the server.
 */
final class GracePeriod {

    /** All of it. */
    static final Duration LENGTH = EventLoopServer.GRACE;

    /** How long sources have. */
    static final Duration FOR_SOURCES = LENGTH.minusSeconds(1);

    private long start;
    private boolean begun;

    /** The stop begins. */
    void begin() {
        start = System.nanoTime();
        begun = true;
    }

    /** {@return how much is left, 0 at least; all of it before the beginning} */
    long nanosLeft() {
        return begun ? Math.max(0, LENGTH.toNanos() - (System.nanoTime() - start)) : LENGTH.toNanos();
    }
}
