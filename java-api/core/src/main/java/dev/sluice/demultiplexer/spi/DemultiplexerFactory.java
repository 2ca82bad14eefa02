package dev.sluice.demultiplexer.spi;

import dev.sluice.demultiplexer.Mechanism;
import java.io.IOException;

/** A mechanism that can be opened: what a {@link DemultiplexerProvider} provides. */
public interface DemultiplexerFactory extends Mechanism {

    /**
     * The factory of a mechanism.
     *
     * @param mechanism from {@link Mechanism}
     * @return what opens it
     * @throws IllegalArgumentException if it comes from elsewhere
     */
    static DemultiplexerFactory of(Mechanism mechanism) {
        if (mechanism instanceof DemultiplexerFactory factory) {
            return factory;
        }
        throw new IllegalArgumentException(mechanism + " comes from no provider");
    }

    /** {@return the rank among the usable ones of its mode; the highest is {@code auto}} */
    int priority();

    /**
     * {@return the rank among the usable synchronous ones where threads take turns waiting, as in a Leader/Followers
     * pool; the highest is {@code auto} there} It is {@link #priority()} unless a mechanism suits that better than it
     * suits a loop.
     */
    default int leaderFollowersPriority() {
        return priority();
    }

    /**
     * Opens a demultiplexer of mode {@link Mode#SYNCHRONOUS}.
     *
     * @param settings what the program has set for it
     * @return the demultiplexer; the caller closes it
     * @throws IllegalArgumentException      if a setting is out of its range
     * @throws UnsupportedOperationException if it is not synchronous, or not available here
     * @throws IOException                   if the system refuses, for example because it has no more descriptors
     */
    default SynchronousEventDemultiplexer openSynchronous(DemultiplexerSettings settings) throws IOException {
        throw new UnsupportedOperationException(name() + " is " + mode());
    }

    /** As {@link #openSynchronous(DemultiplexerSettings)}, with nothing set. */
    default SynchronousEventDemultiplexer openSynchronous() throws IOException {
        return openSynchronous(DemultiplexerSettings.NONE);
    }

    /**
     * Opens a demultiplexer of mode {@link Mode#ASYNCHRONOUS}.
     *
     * @param settings what the program has set for it
     * @return the demultiplexer; the caller closes it
     * @throws IllegalArgumentException      if a setting is out of its range
     * @throws UnsupportedOperationException if it is not asynchronous, or not available here
     * @throws IOException                   if the system refuses, for example because it has no more descriptors
     */
    default AsynchronousEventDemultiplexer openAsynchronous(DemultiplexerSettings settings) throws IOException {
        throw new UnsupportedOperationException(name() + " is " + mode());
    }

    /** As {@link #openAsynchronous(DemultiplexerSettings)}, with nothing set. */
    default AsynchronousEventDemultiplexer openAsynchronous() throws IOException {
        return openAsynchronous(DemultiplexerSettings.NONE);
    }
}
