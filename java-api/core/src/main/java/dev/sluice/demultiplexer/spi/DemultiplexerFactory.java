package dev.sluice.demultiplexer.spi;

import dev.sluice.demultiplexer.Mechanism;
import java.io.IOException;

/** A mechanism that can be opened, provided by a {@link DemultiplexerProvider}. */
public interface DemultiplexerFactory extends Mechanism {

    /**
     * Returns the factory of a mechanism.
     *
     * @param mechanism a mechanism from a method of {@link Mechanism}
     * @return its factory
     * @throws IllegalArgumentException if it is not from such a method
     */
    static DemultiplexerFactory of(Mechanism mechanism) {
        if (mechanism instanceof DemultiplexerFactory factory) {
            return factory;
        }
        throw new IllegalArgumentException(mechanism + " is not from Mechanism.choose or available");
    }

    /** {@return the rank among the mechanisms of its mode; {@code auto} is the usable one with the highest rank} */
    int priority();

    /**
     * {@return the rank among the synchronous mechanisms for a Leader/Followers pool, where {@code auto} is the usable
     * one with the highest rank} It is {@link #priority()} unless a mechanism suits pools better than loops.
     */
    default int leaderFollowersPriority() {
        return priority();
    }

    /**
     * Opens a demultiplexer of mode {@link Mode#SYNCHRONOUS}.
     *
     * @param settings the settings of the program
     * @return the demultiplexer; the caller closes it
     * @throws IllegalArgumentException      if a setting is out of range
     * @throws UnsupportedOperationException if it is not synchronous, or not available here
     * @throws IOException                   if a system call fails, for example because the process has no more
     *                                       descriptors
     */
    default SynchronousEventDemultiplexer openSynchronous(DemultiplexerSettings settings) throws IOException {
        throw new UnsupportedOperationException(name() + " is " + mode());
    }

    /** As {@link #openSynchronous(DemultiplexerSettings)}, with the defaults. */
    default SynchronousEventDemultiplexer openSynchronous() throws IOException {
        return openSynchronous(DemultiplexerSettings.NONE);
    }

    /**
     * Opens a demultiplexer of mode {@link Mode#ASYNCHRONOUS}.
     *
     * @param settings the settings of the program
     * @return the demultiplexer; the caller closes it
     * @throws IllegalArgumentException      if a setting is out of range
     * @throws UnsupportedOperationException if it is not asynchronous, or not available here
     * @throws IOException                   if a system call fails, for example because the process has no more
     *                                       descriptors
     */
    default AsynchronousEventDemultiplexer openAsynchronous(DemultiplexerSettings settings) throws IOException {
        throw new UnsupportedOperationException(name() + " is " + mode());
    }

    /** As {@link #openAsynchronous(DemultiplexerSettings)}, with the defaults. */
    default AsynchronousEventDemultiplexer openAsynchronous() throws IOException {
        return openAsynchronous(DemultiplexerSettings.NONE);
    }
}
