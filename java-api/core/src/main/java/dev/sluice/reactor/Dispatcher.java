package dev.sluice.reactor;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.dispatch.HandlerTable;
import dev.sluice.handle.Handle;
import dev.sluice.timer.TimeoutHandler;
import dev.sluice.timer.Timer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The Dispatcher of the Acceptor-Connector pattern: waits for the events of handles and dispatches them to the event
 * handlers that are registered here, together with timers and tasks. What is written for it runs on a {@link Reactor}
 * of one thread, on one that several threads share, and on the threads of a Leader/Followers pool, whose handle set,
 * {@code HandleSetSource}, is one, and whose pool, {@code LeaderFollowersPool}, is one as well if that is its only
 * source.
 *
 * <p>Every method may be called by any thread, except where it says otherwise. What calls hooks differs:
 * <ul>
 * <li>Where there is a loop thread, it calls them all, and runs the tasks in the order in which they were given.
 * <li>Where several threads dispatch, any of them calls a hook, several at the same time. The hooks of one handle are
 *     still called one after the other, unless the handler says that it is a
 *     {@linkplain EventHandler#isConcurrent() concurrent} one, and each sees what the previous ones have written:
 *     {@link EventHandler#handleInput}, {@link EventHandler#handleOutput}, {@link EventHandler#handleException}, and,
 *     with a registration as the argument, {@link EventHandler#handleFailure} and {@link EventHandler#handleClose}.
 *     Everything else may run at the same time as these, and at the same time as each other: timers, tasks, signals,
 *     and hooks of other handles. A timer that is being dispatched when it is cancelled is not stopped, so its hook may
 *     run even after {@link EventHandler#handleClose}.
 * </ul>
 */
@SuppressWarnings("exports") // The table is not for programs.
public interface Dispatcher extends Executor {

    /**
     * What {@link #receiveBufferSize()} is unless a builder has set it: longer than what a socket has received by
     * default. A message that fills the buffer costs a second look at the socket, a longer one a call for each part.
     */
    int RECEIVE_SIZE = 256 * 1024;

    /**
     * Registers a handle with its handler. A handler may serve several handles; a handle has one handler. Where several
     * threads dispatch, a hook may be called before this returns.
     *
     * @param handle   the handle
     * @param interest the events that its hooks are called for; {@link Interest#NONE} registers it for later
     * @param handler  called from now on, or if a hook of an earlier registration of the handle is still running, when
     *                 it has returned
     * @return the registration, which lasts until it is closed, the handle is closed, a hook fails, or this is closed
     * @throws IllegalStateException if the handle is registered already, or this is closed
     * @throws IOException           if the handle is closed, or the mechanism cannot take it; if there is a loop thread
     *                               and the caller is another one, such failures, and that the handle is registered
     *                               already, go to {@link EventHandler#handleFailure} instead
     */
    Registration register(Handle handle, Interest interest, EventHandler handler) throws IOException;

    /**
     * {@return the table of the registrations, for this library}
     *
     * @hidden
     */
    HandlerTable handlerTable();

    /**
     * Schedules a timer that fires once. Where several threads dispatch, it may fire before this returns.
     *
     * @param handler its {@link TimeoutHandler#handleTimeout} is called; what that throws goes to
     *                {@link EventHandler#handleFailure} if it is an {@code EventHandler}, and otherwise to the log
     * @param token   handed to it; may be null
     * @param delay   from now; longer than 100 years counts as 100 years
     * @return the timer, for cancelling it
     * @throws IllegalArgumentException     if the delay is negative
     * @throws IllegalStateException        if this is closed
     * @throws java.io.UncheckedIOException if the system refuses to wake a thread of a Leader/Followers pool that
     *                                      waits; the timer is scheduled, but may fire late
     */
    Timer schedule(TimeoutHandler handler, @Nullable Object token, Duration delay);

    /**
     * Schedules a periodic timer. Expiries that could not be served in time are skipped, not made up for.
     *
     * @param handler as for {@link #schedule(TimeoutHandler, Object, Duration)}
     * @param token   handed to it; may be null
     * @param delay   from now to the first expiry
     * @param period  between expiries, more than zero
     * @return the timer, for cancelling it
     * @throws IllegalArgumentException     if the delay is negative or the period is not positive
     * @throws IllegalStateException        if this is closed
     * @throws java.io.UncheckedIOException as {@link #schedule(TimeoutHandler, Object, Duration)}
     */
    Timer schedule(TimeoutHandler handler, @Nullable Object token, Duration delay, Duration period);

    /**
     * Submits a task to be run by a thread that dispatches. The threads of a Leader/Followers pool may run several at
     * the same time, in any order, and a task there may block, which keeps only one thread busy; on a {@link Reactor}
     * they are run one at a time, in the order of their submission. Tasks that have not been run when it is closed are
     * run by the thread that closes it.
     *
     * @param task what it throws is logged as an error
     * @throws RejectedExecutionException   if this is closed
     * @throws java.io.UncheckedIOException if the system refuses to wake a thread of a Leader/Followers pool that
     *                                      waits; the task is not run
     */
    @Override
    void execute(Runnable task);

    /** {@return the bytes of the buffer into which the connections of a thread receive} */
    default int receiveBufferSize() {
        return RECEIVE_SIZE;
    }

    /** {@return whether it is neither closed nor about to be} */
    boolean isOpen();
}
