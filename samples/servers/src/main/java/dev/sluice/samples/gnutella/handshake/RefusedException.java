package dev.sluice.samples.gnutella.handshake;

import java.net.InetSocketAddress;
import java.util.List;

/** Thrown if the two sides do not become neighbours. */
public final class RefusedException extends Exception {

    private static final long serialVersionUID = 1;

    /** What to tell the other side; null for nothing. */
    private final Status status;
    private final transient List<InetSocketAddress> others;

    /**
     * Thrown if this side refuses.
     *
     * @param status what to tell the other side, if it knows what a status is
     * @param why    for the log
     */
    RefusedException(Status status, String why) {
        super(why);
        this.status = status;
        others = List.of();
    }

    /**
     * Thrown if the other side has refused.
     *
     * @param others whom to try instead
     * @param why    for the log
     */
    RefusedException(List<InetSocketAddress> others, String why) {
        super(why);
        status = null;
        this.others = List.copyOf(others);
    }

    /** {@return what to tell the other side, if it knows what a status is; null for nothing} */
    public Status status() {
        return status;
    }

    /** {@return whom to try instead} */
    public List<InetSocketAddress> others() {
        return others;
    }
}
