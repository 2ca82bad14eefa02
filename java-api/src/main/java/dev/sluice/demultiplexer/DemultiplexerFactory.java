package dev.sluice.demultiplexer;

import dev.sluice.calls.Availability;
import java.io.IOException;

/** Describes a demultiplexer and opens it. */
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
     * {@return whether it works on this machine, found out by trying, and if not, why; where only descriptors are
     * lacking, or a setting is wrong, it counts as usable, and the reason names the error that opening it gives}
     */
    Availability availability();

    /** {@return whether this is a system that it was made for, so that its absence is worth a word} */
    boolean isAtHome();

    /**
     * Opens a demultiplexer of mode {@link Mode#SYNCHRONOUS}.
     *
     * @return the demultiplexer; the caller closes it
     * @throws UnsupportedOperationException if it is not synchronous, or not available here
     * @throws IOException                   if the system has no more descriptors, for example
     */
    default SynchronousEventDemultiplexer openSynchronous() throws IOException {
        throw new UnsupportedOperationException(name() + " is " + mode());
    }

    /**
     * Opens a demultiplexer of mode {@link Mode#ASYNCHRONOUS}.
     *
     * @return the demultiplexer; the caller closes it
     * @throws UnsupportedOperationException if it is not asynchronous, or not available here
     * @throws IOException                   if the system has no more descriptors, for example
     */
    default AsynchronousEventDemultiplexer openAsynchronous() throws IOException {
        throw new UnsupportedOperationException(name() + " is " + mode());
    }
}
