package dev.sluice.samples.oltp.pool;

import java.util.concurrent.TimeUnit;

/** A connection's quantum: since when what it has sent waits to be served, and how long others wait for it. */
public final class Quantum {

    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private long since;
    private long begun;

    Quantum() {
    }

    void waitsSince(long time) {
        since = time;
    }

    void begin() {
        begun = System.nanoTime();
    }

    /** {@return when the octets were found to be there, by {@link System#nanoTime()}} */
    public long since() {
        return since;
    }

    /** {@return whether it has exceeded its time, so that other connections go first} */
    public boolean isLong() {
        return System.nanoTime() - begun > LONGEST_NANOS;
    }
}
