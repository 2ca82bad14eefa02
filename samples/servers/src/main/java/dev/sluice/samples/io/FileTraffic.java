package dev.sluice.samples.io;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * The current ways to send files, and counts of the octets sent. Shared by all connections, which check before each
 * step: a file being sent continues in another way if that has changed. For any thread.
 */
public final class FileTraffic {

    private final List<LongAdder> octets = Stream.of(SizeClass.values()).map(each -> new LongAdder()).toList();
    private volatile FileWays ways;

    /**
     * Begins.
     *
     * @param ways the initial ways to send files
     */
    public FileTraffic(FileWays ways) {
        this.ways = ways;
    }

    /** {@return the current ways} */
    public FileWays ways() {
        return ways;
    }

    /**
     * Changes the ways.
     *
     * @param next how
     */
    public void ways(FileWays next) {
        ways = next;
    }

    void sent(SizeClass size, long count) {
        octets.get(size.ordinal()).add(count);
    }

    /** {@return the number of octets of files that have been handed to sockets, by their class, in its order} */
    public List<Long> octets() {
        return octets.stream().map(LongAdder::sum).toList();
    }
}
