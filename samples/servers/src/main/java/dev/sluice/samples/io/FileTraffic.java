package dev.sluice.samples.io;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * How files travel at this moment, and how much of them has. Shared by all connections, which look before each step: a
 * file that is on its way goes on another way if that has changed. For any thread.
 */
public final class FileTraffic {

    private final List<LongAdder> octets = Stream.of(SizeClass.values()).map(each -> new LongAdder()).toList();
    private volatile FileWays ways;

    /**
     * Begins.
     *
     * @param ways how files travel at first
     */
    public FileTraffic(FileWays ways) {
        this.ways = ways;
    }

    /** {@return how files travel} */
    public FileWays ways() {
        return ways;
    }

    /**
     * From now on, files travel like this.
     *
     * @param next how
     */
    public void ways(FileWays next) {
        ways = next;
    }

    void sent(SizeClass size, long count) {
        octets.get(size.ordinal()).add(count);
    }

    /** {@return how many octets of files have been handed to sockets, by their class, in its order} */
    public List<Long> octets() {
        return octets.stream().map(LongAdder::sum).toList();
    }
}
