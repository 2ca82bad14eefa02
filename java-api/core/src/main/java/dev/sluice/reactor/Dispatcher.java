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
 * The Dispatcher of the Acceptor-Connector pattern: waits for the events of handles and dispatches them to the
 * registered event handlers, together with timers and tasks. Code that uses this interface runs on a single-threaded or
 * multi-threaded {@link Reactor}, and on a Leader/Followers pool: its handle set, {@code HandleSetSource}, is a
 * dispatcher, and so is a {@code LeaderFollowersPool} with that as its only source.
 *
 * <p>All methods may be called from any thread, unless specified otherwise. Dispatchers differ in the threads that call
 * hooks:
 * <ul>
 * <li>If there is a loop thread, it calls all hooks, and runs the tasks in the order of their submission.
 * <li>If several threads dispatch, any of them calls hooks, concurrently. The hooks of one handle are still called
 *     sequentially, unless the handler is {@linkplain EventHandler#isConcurrent() concurrent}, and the effects of each
 *     hook are visible to the next: {@link EventHandler#handleInput}, {@link EventHandler#handleOutput},
 *     {@link EventHandler#handleException}, and, with a registration as the argument,
 *     {@link EventHandler#handleFailure} and {@link EventHandler#handleClose}. Timers, tasks, signals, and hooks of
 *     other handles may run concurrently with these hooks and with each other. A timer that is being dispatched when it
 *     is cancelled is not stopped, so its hook may run even after {@link EventHandler#handleClose}.
 * </ul>
 */
@SuppressWarnings("exports") // The table is not for programs.
public interface Dispatcher extends Executor {

    /**
     * Default {@link #receiveBufferSize()}: larger than the default receive buffer of a socket. A message that fills
     * the buffer costs a second receive call, a longer one a call for each part.
     */
    int RECEIVE_SIZE = 256 * 1024;

    /**
     * Registers a handle with its handler. A handler may have several handles; a handle has one handler. If several
     * threads dispatch, a hook may be called before this method returns.
     *
     * @param handle   the handle
     * @param interest the events that hooks are called for; {@link Interest#NONE} to set them later
     * @param handler  the handler; if a hook of an earlier registration of the handle is still running, its hooks are
     *                 called after that has returned
     * @return the registration, which lasts until it is closed, the handle is closed, a hook fails, or this dispatcher
     *         is closed
     * @throws IllegalStateException if the handle is already registered, or this dispatcher is closed
     * @throws IOException           if the handle is closed, or the mechanism does not support it. If there is a loop
     *                               thread and the caller is another thread, these failures and a handle that is
     *                               already registered are reported to {@link EventHandler#handleFailure} instead
     */
    Registration register(Handle handle, Interest interest, EventHandler handler) throws IOException;

    /**
     * {@return the table of the registrations, for this library}
     *
     * @hidden
     */
    HandlerTable handlerTable();

    /**
     * Schedules a timer that expires once. If several threads dispatch, it may expire before this method returns.
     *
     * @param handler the handler whose {@link TimeoutHandler#handleTimeout} is called; an exception of that is passed
     *                to {@link EventHandler#handleFailure} if it is an {@code EventHandler}, and otherwise logged
     * @param token   passed to the handler; may be null
     * @param delay   the delay from now; more than 100 years counts as 100 years
     * @return the timer, which can be cancelled
     * @throws IllegalArgumentException     if the delay is negative
     * @throws IllegalStateException        if this dispatcher is closed
     * @throws java.io.UncheckedIOException if a waiting thread of a Leader/Followers pool cannot be woken up; the timer
     *                                      is scheduled, but may expire late
     */
    Timer schedule(TimeoutHandler handler, @Nullable Object token, Duration delay);

    /**
     * Schedules a periodic timer. Expiries that could not be dispatched in time are skipped.
     *
     * @param handler the handler, as for {@link #schedule(TimeoutHandler, Object, Duration)}
     * @param token   passed to the handler; may be null
     * @param delay   the delay from now to the first expiry
     * @param period  the time between expiries, more than zero
     * @return the timer, which can be cancelled
     * @throws IllegalArgumentException     if the delay is negative or the period is not positive
     * @throws IllegalStateException        if this dispatcher is closed
     * @throws java.io.UncheckedIOException as {@link #schedule(TimeoutHandler, Object, Duration)}
     */
    Timer schedule(TimeoutHandler handler, @Nullable Object token, Duration delay, Duration period);

    /**
     * Submits a task, to be run by a dispatching thread. A {@link Reactor} runs tasks one at a time, in the order of
     * their submission. The threads of a Leader/Followers pool may run several concurrently, in any order; a task may
     * block there, because that occupies only one thread. Tasks that have not been run when the dispatcher is closed
     * are run by the thread that closes it.
     *
     * @param task the task; its exceptions are logged as errors
     * @throws RejectedExecutionException   if this dispatcher is closed
     * @throws java.io.UncheckedIOException if a waiting thread of a Leader/Followers pool cannot be woken up; the task
     *                                      is not run
     */
    @Override
    void execute(Runnable task);

    /** {@return the size in bytes of the buffer into which the connections of a thread receive} */
    default int receiveBufferSize() {
        return RECEIVE_SIZE;
    }

    /** {@return whether it is neither closed nor closing} */
    boolean isOpen();
}
