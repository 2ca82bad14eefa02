package dev.sluice.samples.adaptation;

import java.util.Locale;

/** The settings that can be adapted. */
public enum Adaptable {
    /** The number of threads of each pool. */
    THREADS,
    /** Number of files that the cache keeps open. */
    CACHE,
    /** The ways to send files. */
    FILES,
    /** The concurrency strategy, where it can change. */
    CONCURRENCY;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
