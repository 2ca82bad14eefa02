package dev.sluice.demultiplexer.spi;

import dev.sluice.demultiplexer.Interest;
import java.util.StringJoiner;

/**
 * The types of indication events, as bits that can be combined: the Reactor paper's Event_Type (implementation activity
 * 1.2). Programs use {@link Interest} instead.
 */
public final class EventType {

    /** Bytes, a datagram, a connection, the end of the stream, or an error can be received. */
    public static final int READ = 1;
    /** Bytes can be sent, an attempt to connect is over, or sending would fail. */
    public static final int WRITE = 1 << 1;
    /**
     * Urgent data has arrived, which is received like other data if {@code SO_OOBINLINE} is set; or the connection has
     * failed or was hung up, if the mechanism reports that, as {@code epoll} and {@code poll} do but {@code select}
     * does not.
     */
    public static final int EXCEPTION = 1 << 2;

    /** The events that a demultiplexer can wait for. */
    public static final int IO = READ | WRITE | EXCEPTION;

    private EventType() {
    }

    /**
     * Checks a combination of events that a handle is to be registered for.
     *
     * @param events the bits
     * @return the bits
     * @throws IllegalArgumentException if there are bits other than those of {@link #IO}
     */
    public static int requireIo(int events) {
        if ((events & ~IO) != 0) {
            throw new IllegalArgumentException("events " + toString(events) + ": a handle can be registered for "
                    + toString(IO) + " only");
        }
        return events;
    }

    /**
     * Returns the bits of an interest.
     *
     * @param interest the interest
     * @return its bits
     */
    public static int of(Interest interest) {
        return (interest.contains(Interest.READ) ? READ : 0) | (interest.contains(Interest.WRITE) ? WRITE : 0)
                | (interest.contains(Interest.EXCEPTION) ? EXCEPTION : 0);
    }

    /**
     * Returns the interest with the given bits.
     *
     * @param events bits of {@link #IO}
     * @return the interest
     */
    public static Interest interest(int events) {
        Interest interest = Interest.NONE;
        interest = (events & READ) != 0 ? interest.plus(Interest.READ) : interest;
        interest = (events & WRITE) != 0 ? interest.plus(Interest.WRITE) : interest;
        return (events & EXCEPTION) != 0 ? interest.plus(Interest.EXCEPTION) : interest;
    }

    /**
     * Returns the names of the bits.
     *
     * @param events any bits
     * @return for example {@code READ|WRITE}, or {@code NONE}
     */
    public static String toString(int events) {
        String[] names = {"READ", "WRITE", "EXCEPTION"};
        StringJoiner joined = new StringJoiner("|").setEmptyValue("NONE");
        for (int bit = 0; bit < names.length; bit++) {
            if ((events & 1 << bit) != 0) {
                joined.add(names[bit]);
            }
        }
        int rest = events >>> names.length << names.length;
        return rest == 0 ? joined.toString() : joined.add("0x" + Integer.toHexString(rest)).toString();
    }
}
