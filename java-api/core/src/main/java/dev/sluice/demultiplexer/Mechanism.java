package dev.sluice.demultiplexer;

import java.util.Objects;

/**
 * A demultiplexer that a program can choose: the mechanism of an operating system, or an emulation. {@link
 * Demultiplexers} finds those that there are; a Reactor, a Proactor or a pool opens one.
 */
public interface Mechanism {

    /** What a demultiplexer reports. */
    enum Mode {
        /** Readiness, for the Reactor. */
        SYNCHRONOUS,
        /** Completion, for the Proactor. */
        ASYNCHRONOUS
    }

    /**
     * Whether a mechanism can be used on this machine, and if not, why.
     *
     * @param usable whether it can be used
     * @param reason if it cannot be used, why not, in one clause that a person can act on; otherwise what was found,
     *               may be empty
     */
    record Availability(boolean usable, String reason) {

        /** Usable, with nothing more to say. */
        public static final Availability USABLE = new Availability(true, "");

        /** Checks that there is a reason, if only an empty one. */
        public Availability {
            Objects.requireNonNull(reason, "reason");
        }

        /**
         * Not usable.
         *
         * @param reason why, in one clause that a person can act on
         * @return the unavailability
         */
        public static Availability missing(String reason) {
            return new Availability(false, reason);
        }
    }

    /** {@return the name by which it is chosen, such as {@code epoll}} */
    String name();

    /** {@return what it reports} */
    Mode mode();

    /** {@return whether one or many threads may wait on it} */
    HandleSetKind handleSetKind();

    /** {@return whether it was made for this system, so that its absence is worth a log line} */
    boolean isAtHome();

    /**
     * {@return whether it works on this machine, found out by trying, and if not, why; if it only lacks descriptors, or
     * a setting is wrong, it counts as usable, and the reason names the error that opening it raises}
     */
    Availability availability();
}
