package dev.sluice.demultiplexer;

import com.google.errorprone.annotations.CheckReturnValue;
import java.util.StringJoiner;

/**
 * The set of indication events that a handle is registered for (Reactor paper, implementation activity 1.2). There is
 * one instance of each set, so they may be compared with {@code ==}. Immutable.
 */
public final class Interest {

    private static final String[] NAMES = {"READ", "WRITE", "EXCEPTION"};
    private static final Interest[] ALL = new Interest[1 << NAMES.length];

    /** No event: the registration continues, but no hook is called. */
    public static final Interest NONE;
    /** Bytes, a datagram, a connection, the end of the stream, or an error can be received. */
    public static final Interest READ;
    /** Bytes can be sent, an attempt to connect is over, or sending would fail. */
    public static final Interest WRITE;
    /** {@link #READ} and {@link #WRITE}. */
    public static final Interest READ_WRITE;
    /**
     * Urgent data has arrived, which is received like other data if {@code SO_OOBINLINE} is set; or the connection has
     * failed or was hung up, if the mechanism reports that, as {@code epoll} and {@code poll} do but {@code select}
     * does not.
     */
    public static final Interest EXCEPTION;

    static {
        for (int set = 0; set < ALL.length; set++) {
            ALL[set] = new Interest(set);
        }
        NONE = ALL[0];
        READ = ALL[1];
        WRITE = ALL[2];
        READ_WRITE = ALL[3];
        EXCEPTION = ALL[4];
    }

    /** One bit for each event, in the order of {@link #NAMES}. */
    private final int set;

    private Interest(int set) {
        this.set = set;
    }

    /**
     * Adds events.
     *
     * @param other the events to add
     * @return the union of both
     */
    @CheckReturnValue
    public Interest plus(Interest other) {
        return ALL[set | other.set];
    }

    /**
     * Removes events.
     *
     * @param other the events to remove
     * @return the events of this set that are not in the other one
     */
    @CheckReturnValue
    public Interest minus(Interest other) {
        return ALL[set & ~other.set];
    }

    /**
     * {@return whether this set contains all events of another one}
     *
     * @param other the other set
     */
    public boolean contains(Interest other) {
        return (set & other.set) == other.set;
    }

    /** {@return whether this is {@link #NONE}} */
    public boolean isEmpty() {
        return set == 0;
    }

    /** {@return for example {@code READ|WRITE}, or {@code NONE}} */
    @Override
    public String toString() {
        StringJoiner joined = new StringJoiner("|").setEmptyValue("NONE");
        for (int event = 0; event < NAMES.length; event++) {
            if ((set & 1 << event) != 0) {
                joined.add(NAMES[event]);
            }
        }
        return joined.toString();
    }
}
