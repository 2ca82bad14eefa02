package dev.sluice.samples.gnutella;

/** Why a message was not sent on. */
enum DropReason {

    /** Its time to live was over before it came. */
    TTL_0("with TTL 0"),
    /** It wanted to live longer than any broadcast may. */
    TTL_TOO_HIGH("with a TTL above 15"),
    /** It has been here before. */
    DUPLICATE("duplicates"),
    /** Nobody has asked, or who has asked is gone. */
    REPLY_TO_NOTHING("replies to nothing"),
    /** Nobody knows what it is. */
    UNKNOWN_TYPE("of unknown types"),
    /** A query may have 4 KiB at most. */
    LONG_QUERY("queries above 4 KiB"),
    /** The queue of the router had no room, or the router had no time. */
    OVERLOAD("by overload"),
    /** Who was to get it does not take as much as comes for it; counted for each of these. */
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
