package dev.sluice.samples.logging;

/** What has come in. For the loop thread, and for others once that has ended. */
final class LoggingCounts {

    long connections;
    /** Connections that are open now. */
    int open;
    long records;
    long malformed;
    long oversized;
    long truncated;
    long framingErrors;
    /** Datagrams that there was no room for, mostly in the system's receive buffer. */
    long dropped;

    /** {@return the number of records that were not accepted} */
    long rejected() {
        return malformed + oversized + truncated + framingErrors;
    }

    @Override
    public String toString() {
        return records + " records accepted, " + malformed + " malformed, " + oversized + " oversized, " + truncated
                + " truncated, " + framingErrors + " framing errors, " + connections + " connections"
                + (dropped == 0 ? "" : ", " + dropped + " datagrams dropped");
    }
}
