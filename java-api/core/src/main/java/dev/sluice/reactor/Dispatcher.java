package dev.sluice.reactor;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.Handle;
import dev.sluice.timer.TimeoutHandler;
import dev.sluice.timer.Timer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

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
 *     still called one after the other, unless the handler says that it is a {@linkplain EventHandler#isConcurrent()
 *     concurrent} one, and each sees what the previous ones have written: {@link EventHandler#handleInput}, {@link
 *     EventHandler#handleOutput}, {@link EventHandler#handleException}, and, with a handle as the argument, {@link
 *     EventHandler#handleFailure} and {@link EventHandler#handleClose}. Everything else may run at the same time as
 *     these, and at the same time as each other: timers, tasks, signals, and hooks of other handles. A timer that is
 *     being dispatched when it is cancelled is not stopped, so its hook may run even after
 *     {@link EventHandler#handleClose}.
 * </ul>
 */
public interface Dispatcher extends Executor {

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
     * Registers a handler for more events on its own handle.
     *
     * @param handler asked for its {@link EventHandler#handle()}
     * @param events  bits of {@link EventType#IO}, added to those it is registered for
     * @throws IllegalArgumentException as {@link #registerHandler(Handle, EventHandler, int)}
     * @throws IllegalStateException    as {@link #registerHandler(Handle, EventHandler, int)}
     * @throws IOException              as {@link #registerHandler(Handle, EventHandler, int)}
     */
    default void registerHandler(EventHandler handler, int events) throws IOException {
        registerHandler(handler.handle(), handler, events);
    }

    /**
     * Registers a handler for more events on a handle. A handler may serve several handles; a handle has one handler.
     * Where several threads dispatch, a hook may be called before this returns.
     *
     * @param handle  the handle
     * @param handler called from now on, or if a hook of an earlier registration of the handle is still running, when
     *                it has returned
     * @param events  bits of {@link EventType#IO}, added to those it is registered for; 0 registers it for later
     * @throws IllegalArgumentException if there are other bits
     * @throws IllegalStateException    if the handle has another handler, or this is closed
     * @throws IOException              if the handle is closed, or the mechanism cannot take it; if there is a loop
     *                                  thread and the caller is another one, such failures go to
     *                                  {@link EventHandler#handleFailure} instead
     */
    void registerHandler(Handle handle, EventHandler handler, int events) throws IOException;

    /**
     * Ends the registration of the handle that a handler names, see {@link #removeHandler(Handle)}.
     *
     * @param handler asked for its {@link EventHandler#handle()}
     */
    default void removeHandler(EventHandler handler) {
        removeHandler(handler.handle());
    }

    /**
     * Ends the registration of a handle, with {@link EventHandler#handleClose}, which closes the handle unless it is
     * overridden. To wait for fewer events, or for none for a while, use {@link #changeEvents} and
     * {@link #deactivateHandle}. Does nothing if the handle is not registered.
     *
     * @param handle the handle
     */
    void removeHandler(Handle handle);

    /**
     * Ends the registration of a handle, as {@link #removeHandler(Handle)} does, but only if it is with a certain
     * handler at that moment: for callers that cannot know whether the handle has been handed over in the meantime.
     *
     * @param handle  the handle
     * @param handler does nothing if this is not the handler that it is registered with
     */
    void removeHandler(Handle handle, EventHandler handler);

    /**
     * Gives a registered handle to another handler, as when a protocol is replaced by another on the same connection:
     * from now on its hooks are called, for the same events, also for what is ready already.
     * {@link EventHandler#handleClose} is called once, on the handler that the handle has then, and not on the previous
     * one. What has been received and belongs to the new handler the previous one must give it itself. For a hook of
     * the handle, as a rule as the last thing it does; where there is a loop thread, for that thread only.
     *
     * @param handle the handle
     * @param from   its handler
     * @param to     its new handler
     * @throws IllegalArgumentException if several threads may be inside the hooks of one of the two for this handle,
     *                                  and not of the other, see {@link EventHandler#isConcurrent()}
     * @throws IllegalStateException    if the handle is not registered with that handler, or there is a loop thread,
     *                                  and the caller is another one
     * @throws IOException              if the system refuses to report the handle again; it is registered with the new
     *                                  handler nevertheless
     */
    void handOver(Handle handle, EventHandler from, EventHandler to) throws IOException;

    /**
     * Calls something before all hooks of a handle: if it registers the handle, the first hook is called when it has
     * returned, as if it had been a hook itself. If the handle is registered already, or the hook is running that its
     * last registration has ended in, it is simply called. For the loop thread only, if there is one; there hooks that
     * it causes by running the loop are called nevertheless.
     *
     * @param handle the handle
     * @param hook   called once, by the calling thread
     * @return whether the handle is registered when this method returns, or was in the meantime: if so,
     *         {@link EventHandler#handleClose} has been called for it, or will be
     */
    boolean callFirst(Handle handle, Runnable hook);

    /**
     * Returns whether a handle has a handler here. For the loop thread only, if there is one.
     *
     * @param handle the handle
     * @return whether it is registered
     * @throws IllegalStateException if there is a loop thread, and the caller is another one
     */
    boolean isRegistered(Handle handle);

    /**
     * Replaces the events of a registered handle in one go, as when a handler turns from reading to writing. Does
     * nothing if the handle is not registered.
     *
     * @param handle the handle
     * @param events bits of {@link EventType#IO}; with 0 the registration stays and is silent, as a deactivated one is
     */
    void changeEvents(Handle handle, int events);

    /**
     * Pauses a handle until {@link #reactivateHandle}: none of its events is dispatched, and those it is registered for
     * stay the same. Does nothing if it is not registered.
     *
     * <p>What happens on the connection in the meantime is dispatched later: bytes, the end of the stream, a reset. The
     * hook of {@link EventType#READ} or {@link EventType#WRITE} finds it when the handle is active again. In order to
     * detect a reset immediately, but nothing else, stay registered for {@link EventType#EXCEPTION} alone, with {@link
     * #changeEvents}: where the system reports a reset, as {@code epoll} and {@code poll} do but {@code select} does
     * not, {@link EventHandler#handleException} is called, and a receive then fails with the error. The end of a stream
     * is reported only for {@link EventType#READ}.
     *
     * @param handle the handle
     */
    void deactivateHandle(Handle handle);

    /**
     * Ends {@link #deactivateHandle}; events that became ready in the meantime are dispatched. Does nothing if it is
     * not registered.
     *
     * @param handle the handle
     */
    void reactivateHandle(Handle handle);

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
    Timer schedule(TimeoutHandler handler, Object token, Duration delay);

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
    Timer schedule(TimeoutHandler handler, Object token, Duration delay, Duration period);

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

    /** {@return whether it is neither closed nor about to be} */
    boolean isOpen();
}
