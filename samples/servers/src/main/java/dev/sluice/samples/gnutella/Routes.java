package dev.sluice.samples.gnutella;

import dev.sluice.samples.gnutella.routing.RouteTable;
import java.time.Duration;

/**
 * The router's tables: where pings and queries have come from, and hits, by the servent that has sent them.
 *
 * @param pings    by GUID
 * @param queries  by GUID
 * @param servents by the servent id of hits
 */
record Routes(RouteTable pings, RouteTable queries, RouteTable servents) {

    /** Stands in the tables for the router itself. */
    static final long OURSELVES = 0;
    /** Number of entries that each table has: 65 536. */
    static final int ENTRIES = 1 << 16;
    /** After this time, no peer waits for an answer any more. */
    static final Duration AGE = Duration.ofMinutes(10);

    /** Creates empty tables. */
    Routes() {
        this(new RouteTable(ENTRIES, AGE), new RouteTable(ENTRIES, AGE), new RouteTable(ENTRIES, AGE));
    }
}
