package dev.sluice.samples.dns;

import java.util.concurrent.atomic.LongAdder;

/** Counts the datagrams by outcome; used by many threads concurrently. */
final class QueryCounts {

    final LongAdder answered = new LongAdder();
    final LongAdder malformed = new LongAdder();
    /** Datagrams that were not queries, and were not answered. */
    final LongAdder dropped = new LongAdder();
    /** Replies that the system did not accept. */
    final LongAdder unsent = new LongAdder();

    /** {@return for example {@code 12 queries answered, 1 malformed, 0 datagrams dropped, 0 replies not sent}} */
    @Override
    public String toString() {
        return answered + " queries answered, " + malformed + " malformed, " + dropped + " datagrams dropped, "
                + unsent + " replies not sent";
    }
}
