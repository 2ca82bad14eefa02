package dev.sluice.demultiplexer;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A demultiplexer that a program can choose: the mechanism of an operating system, or an emulation. {@link #available}
 * lists those on the class path or module path, {@link #choose} chooses the best one or the one that is asked for; a
 * Reactor, a Proactor or a pool opens one.
 */
public interface Mechanism {

    /** The name that stands for the best usable one. */
    String AUTO = "auto";

    /**
     * System property that names the demultiplexer to use where the program asks for {@value #AUTO}. It applies to each
     * mode that has a demultiplexer of this name; the other mode keeps using its best one.
     */
    String PROPERTY = "sluice.demultiplexer";

    /** The same for synchronous demultiplexers only, for which it takes precedence. */
    String SYNCHRONOUS_PROPERTY = "sluice.demultiplexer.synchronous";

    /** The same for asynchronous demultiplexers only, for which it takes precedence. */
    String ASYNCHRONOUS_PROPERTY = "sluice.demultiplexer.asynchronous";

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

    /** {@return every known demultiplexer, best first, usable on this machine or not} */
    static List<Mechanism> available() {
        return List.copyOf(Demultiplexers.factories());
    }

    /**
     * Finds the demultiplexer that a name stands for.
     *
     * @param name one of those listed by {@link #available()}, or {@value #AUTO}
     * @param mode the mode of the demultiplexer
     * @return the mechanism
     * @throws IllegalArgumentException if there is none of this name, or it is not usable here; the message lists the
     *                                  right ones
     * @throws IllegalStateException    if no native binding is usable
     */
    static Mechanism choose(String name, Mode mode) {
        return Demultiplexers.choose(name, mode);
    }

    /**
     * Finds the synchronous demultiplexer that a name stands for in a Leader/Followers pool. There {@value #AUTO} is
     * one that reports a ready handle to one thread and then falls silent, if the system has such a one: the handle
     * need not be taken out of the set while it is served.
     *
     * @param name as for {@link #choose}
     * @return the mechanism
     * @throws IllegalArgumentException as {@link #choose}
     * @throws IllegalStateException    as {@link #choose}
     */
    static Mechanism chooseForLeaderFollowers(String name) {
        return Demultiplexers.chooseForLeaderFollowers(name);
    }

    /**
     * Finds the system property that decides what {@value #AUTO} stands for.
     *
     * @param mode the mode of the demultiplexer
     * @return the property's name; empty if the best usable one is taken
     */
    static Optional<String> forcedBy(Mode mode) {
        return Demultiplexers.forcedBy(mode);
    }

    /** {@return the name by which it is chosen, such as {@code epoll}} */
    String name();

    /** {@return what it reports} */
    Mode mode();

    /**
     * {@return whether many threads may wait on it at once, and each ready handle or completion goes to one of them}
     * Such a synchronous one is a concurrent handle set; on an iterative one a single thread waits at a time, and may
     * get many handles (Leader/Followers paper, implementation activity 1). An asynchronous one is multi-threaded or
     * single-threaded.
     */
    boolean isConcurrent();

    /** {@return whether it was made for this system, so that its absence is worth a log line} */
    boolean isForThisSystem();

    /**
     * {@return whether it works on this machine, found out by trying, and if not, why; if it only lacks descriptors, or
     * a setting is wrong, it counts as usable, and the reason names the error that opening it raises}
     */
    Availability availability();
}
