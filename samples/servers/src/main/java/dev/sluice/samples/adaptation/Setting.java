package dev.sluice.samples.adaptation;

import dev.sluice.samples.io.FileWays;

/**
 * What of a service is adapted.
 *
 * @param openFiles how many files the cache keeps open
 * @param ways      how files travel
 */
public record Setting(int openFiles, FileWays ways) {

    /** {@return for example {@code 256 open files, small files by read, medium by mmap}, and so on for all sizes} */
    @Override
    public String toString() {
        return openFiles + " open files, " + ways;
    }
}
