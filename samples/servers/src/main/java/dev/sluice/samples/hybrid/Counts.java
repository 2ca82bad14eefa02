package dev.sluice.samples.hybrid;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** The counts of a node. */
final class Counts {

    final LongAdder answered = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder made = new LongAdder();
    final LongAdder links = new LongAdder();
    /** Connections that are open at present. */
    final AtomicInteger clients = new AtomicInteger();

    /** {@return for example {@code 17 calls answered, 1 of them with an error; 16 made, over 8 connections}} */
    @Override
    public String toString() {
        return answered + " calls answered, " + failed + " of them with an error; " + made + " made, over " + links
                + " connections";
    }
}
