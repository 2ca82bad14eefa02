package dev.sluice.demultiplexer;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A demultiplexer that a program can choose: the mechanism of an operating system, or an emulation. {@link #available}
 * lists those on the class path or module path, and {@link #choose} selects the best one or one by name. A Reactor, a
 * Proactor or a pool opens it.
 */
public interface Mechanism {

    /** The name of the best usable demultiplexer. */
    String AUTO = "auto";

    /**
     * System property that names the demultiplexer to use for {@value #AUTO}. It applies to each mode that has a
     * demultiplexer of this name; the other mode uses its best one.
     */
    String PROPERTY = "sluice.demultiplexer";

    /** As {@link #PROPERTY}, for synchronous demultiplexers only; takes precedence. */
    String SYNCHRONOUS_PROPERTY = "sluice.demultiplexer.synchronous";

    /** As {@link #PROPERTY}, for asynchronous demultiplexers only; takes precedence. */
    String ASYNCHRONOUS_PROPERTY = "sluice.demultiplexer.asynchronous";

    /** The type of the events that a demultiplexer reports. */
    enum Mode {
        /** Readiness, for the Reactor. */
        SYNCHRONOUS,
        /** Completion, for the Proactor. */
        ASYNCHRONOUS
    }

    /**
     * Whether a mechanism can be used on this machine, and if not, the reason.
     *
     * @param usable whether it can be used
     * @param reason the reason why it cannot be used, in one clause that helps to correct it; otherwise a description,
     *               may be empty
     */
    record Availability(boolean usable, String reason) {

        /** Usable, without a description. */
        public static final Availability USABLE = new Availability(true, "");

        /** Checks that the reason is not null. */
        public Availability {
            Objects.requireNonNull(reason, "reason");
        }

        /**
         * Returns an availability of a mechanism that cannot be used.
         *
         * @param reason the reason, in one clause that helps to correct it
         * @return the availability
         */
        public static Availability missing(String reason) {
            return new Availability(false, reason);
        }
    }

    /** {@return all known demultiplexers, best first, including those that cannot be used on this machine} */
    static List<Mechanism> available() {
        return List.copyOf(Demultiplexers.factories());
    }

    /**
     * Selects a demultiplexer by name.
     *
     * @param name one of those listed by {@link #available()}, or {@value #AUTO}
     * @param mode the mode of the demultiplexer
     * @return the mechanism
     * @throws IllegalArgumentException if there is none of this name, or it cannot be used here; the message lists the
     *                                  usable ones
     * @throws IllegalStateException    if no native binding is usable
     */
    static Mechanism choose(String name, Mode mode) {
        return Demultiplexers.choose(name, mode);
    }

    /**
     * Selects a synchronous demultiplexer for a Leader/Followers pool. For a pool, {@value #AUTO} prefers one that
     * reports a ready handle once to one thread, so that the handle need not be deactivated while it is served.
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
     * Returns the system property that selects the demultiplexer for {@value #AUTO}.
     *
     * @param mode the mode of the demultiplexer
     * @return the property's name; empty if the best usable one is selected
     */
    static Optional<String> forcedBy(Mode mode) {
        return Demultiplexers.forcedBy(mode);
    }

    /** {@return the name by which it is selected, such as {@code epoll}} */
    String name();

    /** {@return the type of the events that it reports} */
    Mode mode();

    /**
     * {@return whether several threads may wait on it concurrently, and each ready handle or completion goes to one of
     * them} A synchronous one is a concurrent handle set then, otherwise an iterative one: on that, one thread waits at
     * a time, and may get many handles (Leader/Followers paper, implementation activity 1). An asynchronous one is
     * multi-threaded or single-threaded.
     */
    boolean isConcurrent();

    /** {@return whether it exists for this operating system, so that it is logged if it cannot be used} */
    boolean isForThisSystem();

    /**
     * {@return whether it works on this machine, determined by an attempt to open it, and if not, the reason} If
     * descriptors are lacking, or a setting is wrong, it counts as usable, and the reason names the error that opening
     * it raises.
     */
    Availability availability();
}
