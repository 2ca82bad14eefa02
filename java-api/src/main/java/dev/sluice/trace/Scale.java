package dev.sluice.trace;

import java.time.Instant;

/** Turns times of {@link System#nanoTime()}, which are cheap to take, into times that people read. */
final class Scale {

    private final Instant instant = Instant.now();
    private final long nanos = System.nanoTime();

    Instant instant(long nanoTime) {
        return instant.plusNanos(nanoTime - nanos);
    }
}
