package dev.sluice.samples.server;

import dev.sluice.eventloop.EventLoop;
import dev.sluice.eventloop.OsSignal;
import dev.sluice.eventloop.SignalHandler;
import dev.sluice.leaderfollowers.HandleSetSource;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

/** Where the signals of a sample come from. */
@FunctionalInterface
public interface Signals {

    /** The signals that the operating system sends to this process. */
    Signals OF_PROCESS = (loop, registration, signal, handler) -> registration.accept(signal, handler);

    /**
     * Registers a handler for a signal.
     *
     * @param loop         runs the handler
     * @param registration registers a handler of this loop for a signal of the operating system
     * @param signal       the signal
     * @param handler      the handler
     * @throws UnsupportedOperationException if the virtual machine does not let programs handle the signal
     */
    void register(Executor loop, BiConsumer<OsSignal, SignalHandler> registration, OsSignal signal,
            SignalHandler handler);

    /**
     * Registers a handler for a signal.
     *
     * @param loop    runs the handler
     * @param signal  the signal
     * @param handler the handler
     * @throws UnsupportedOperationException if the virtual machine does not let programs handle the signal
     */
    default void register(EventLoop loop, OsSignal signal, SignalHandler handler) {
        register(loop, loop::registerSignalHandler, signal, handler);
    }

    /**
     * Registers a handler for a signal.
     *
     * @param pool    runs the handler
     * @param signal  the signal
     * @param handler the handler
     * @throws UnsupportedOperationException if the virtual machine does not let programs handle the signal
     */
    default void register(LeaderFollowersPool pool, OsSignal signal, SignalHandler handler) {
        register(pool, pool::registerSignalHandler, signal, handler);
    }

    /**
     * Registers a handler for a signal.
     *
     * @param handleSet runs the handler
     * @param signal    the signal
     * @param handler   the handler
     * @throws UnsupportedOperationException if the virtual machine does not let programs handle the signal
     */
    default void register(HandleSetSource handleSet, OsSignal signal, SignalHandler handler) {
        register(handleSet::execute, handleSet::registerSignalHandler, signal, handler);
    }
}
