package dev.sluice.demultiplexer;

import dev.sluice.calls.Availability;
import java.io.IOException;

/** Describes a demultiplexer, and opens it. */
public interface DemultiplexerFactory {

    /** What a demultiplexer reports. */
    enum Mode {
        /** Readiness, for the Reactor. */
        SYNCHRONOUS,
        /** Completion, for the Proactor. */
        ASYNCHRONOUS
    }

    /** {@return the name by which it is chosen, such as {@code epoll}} */
    String name();

    /** {@return what it reports} */
    Mode mode();

    /** {@return whether one or many threads may wait on it} */
    HandleSetKind handleSetKind();

    /** {@return the rank among the usable ones of its mode; the highest is {@code auto}} */
    int priority();

    /**
     * {@return the rank among the usable synchronous ones where threads take turns waiting, as in a Leader/Followers
     * pool; the highest is {@code auto} there} It is {@link #priority()} unless a mechanism suits that better than it
     * suits a loop.
     */
    default int priorityInTurns() {
        return priority();
    }

    /**
     * {@return whether it works on this machine, found out by trying, and if not, why; if it only lacks descriptors, or
     * a setting is wrong, it counts as usable, and the reason names the error that opening it raises}
     */
    Availability availability();

    /** {@return whether it was made for this system, so that its absence is worth a log line} */
    boolean isAtHome();

    /**
     * Opens a demultiplexer of mode {@link Mode#SYNCHRONOUS}.
     *
     * @return the demultiplexer; the caller closes it
     * @throws UnsupportedOperationException if it is not synchronous, or not available here
     * @throws IOException                   if the system refuses, for example because it has no more descriptors
     */
    default SynchronousEventDemultiplexer openSynchronous() throws IOException {
        throw new UnsupportedOperationException(name() + " is " + mode());
    }

    /**
     * Opens a demultiplexer of mode {@link Mode#ASYNCHRONOUS}.
     *
     * @return the demultiplexer; the caller closes it
     * @throws UnsupportedOperationException if it is not asynchronous, or not available here
     * @throws IOException                   if the system refuses, for example because it has no more descriptors
     */
    default AsynchronousEventDemultiplexer openAsynchronous() throws IOException {
        throw new UnsupportedOperationException(name() + " is " + mode());
    }
}
