package dev.sluice.samples.server;

import dev.sluice.eventloop.EventLoop;
import dev.sluice.eventloop.OsSignal;
import dev.sluice.leaderfollowers.HandleSetSource;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

/** Where the signals of a sample come from. */
@FunctionalInterface
public interface Signals {

    /** The signals that the operating system sends to this process. */
    Signals OF_PROCESS = (loop, registration, signal, task) -> registration.accept(signal, task);

    /**
     * Lets a loop run a task for a signal.
     *
     * @param loop         runs the task
     * @param registration has this loop run a task for a signal of the operating system
     * @param signal       the signal
     * @param task         the task
     * @throws UnsupportedOperationException if the virtual machine does not let programs handle the signal
     */
    void register(Executor loop, BiConsumer<OsSignal, Runnable> registration, OsSignal signal, Runnable task);

    /**
     * Lets a loop run a task for a signal.
     *
     * @param loop    runs the task
     * @param signal  the signal
     * @param task    the task
     * @throws UnsupportedOperationException if the virtual machine does not let programs handle the signal
     */
    default void register(EventLoop loop, OsSignal signal, Runnable task) {
        register(loop, loop::onSignal, signal, task);
    }

    /**
     * Lets a loop run a task for a signal.
     *
     * @param pool    runs the task
     * @param signal  the signal
     * @param task    the task
     * @throws UnsupportedOperationException if the virtual machine does not let programs handle the signal
     */
    default void register(LeaderFollowersPool pool, OsSignal signal, Runnable task) {
        register(pool, pool::onSignal, signal, task);
    }

    /**
     * Lets a loop run a task for a signal.
     *
     * @param handleSet runs the task
     * @param signal    the signal
     * @param task      the task
     * @throws UnsupportedOperationException if the virtual machine does not let programs handle the signal
     */
    default void register(HandleSetSource handleSet, OsSignal signal, Runnable task) {
        register(handleSet::execute, handleSet::onSignal, signal, task);
    }
}
