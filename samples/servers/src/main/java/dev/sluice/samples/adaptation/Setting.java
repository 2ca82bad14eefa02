package dev.sluice.samples.adaptation;

import dev.sluice.samples.io.FileWays;

/**
 * The adaptive settings of a service.
 *
 * @param openFiles the number of files that the cache keeps open
 * @param ways      the ways to send files
 */
public record Setting(int openFiles, FileWays ways) {

    /** {@return for example {@code 256 open files, small files by read, medium by mmap}, and so on for all sizes} */
    @Override
    public String toString() {
        return openFiles + " open files, " + ways;
    }
}
