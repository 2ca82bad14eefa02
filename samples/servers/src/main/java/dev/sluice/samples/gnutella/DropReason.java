package dev.sluice.samples.gnutella;

/** The reason why a message was not forwarded. */
enum DropReason {

    /** Its time to live was 0 on arrival. */
    TTL_0("with TTL 0"),
    /** Its time to live exceeds the maximum of a broadcast. */
    TTL_TOO_HIGH("with a TTL above 15"),
    /** The router has seen it before. */
    DUPLICATE("duplicates"),
    /** No peer has sent the request, or that peer has left. */
    REPLY_TO_NOTHING("replies to nothing"),
    /** Its type is not defined by the protocol. */
    UNKNOWN_TYPE("of unknown types"),
    /** A query may have 4 KiB at most. */
    LONG_QUERY("queries above 4 KiB"),
    /** The queue of the router was full, or the router had no time. */
    OVERLOAD("by overload"),
    /** Its receiver is too slow; counted once for each receiver. */
    BEHIND("for neighbours that were behind"),
    /** Its sender has left, or the router is being stopped. */
    TOO_LATE("too late");

    private final String description;

    DropReason(String description) {
        this.description = description;
    }

    /** {@return for example {@code duplicates}} */
    @Override
    public String toString() {
        return description;
    }
}
