package dev.sluice.samples.adaptation;

import java.util.Locale;

/** What can be adapted. */
public enum Adaptable {
    /** How many threads each pool has. */
    THREADS,
    /** How many files the cache keeps open. */
    CACHE,
    /** How files travel. */
    FILES;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
