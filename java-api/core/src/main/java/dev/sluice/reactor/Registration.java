package dev.sluice.reactor;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.Handle;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;

/**
 * The registration of a handle with a {@link Dispatcher}, from {@link Dispatcher#register}. There is one object for
 * each registration, which lasts until the registration ends: by {@link #close()}, because the handle is closed,
 * because a hook fails, or because the dispatcher is closed. Once it has ended, everything that would change it does
 * nothing.
 *
 * <p>Every method may be called from any thread, except where it says otherwise. Where there is a loop thread, changes
 * of other threads are made by it, in the order in which they were requested, before its next wait; what other threads
 * ask for in the meantime still has its previous value. A registration that another thread has requested begins with
 * what the loop thread has changed by then; if that has closed it, it is not made.
 */
public abstract class Registration implements Closeable {

    /** For this library: programs do not make registrations. */
    protected Registration() {
    }

    /** {@return the handle} */
    public abstract Handle handle();

    /** {@return the handler that its hooks are called on} */
    public abstract EventHandler handler();

    /** {@return where it is registered; for a pool of Leader/Followers with one handle set, that handle set} */
    public abstract Dispatcher dispatcher();

    /** {@return the events that hooks are called for, also while it is paused; the last ones once it has ended} */
    public abstract Interest interest();

    /** {@return whether it has not ended} */
    public abstract boolean isOpen();

    /** {@return whether it is paused by {@link #pause()}} */
    public abstract boolean isPaused();

    /**
     * Replaces the events that hooks are called for, as when a handler turns from reading to writing.
     *
     * <p>In order to detect a reset immediately, but nothing else, use {@link Interest#EXCEPTION} alone: where the
     * system reports a reset, as {@code epoll} and {@code poll} do but {@code select} does not,
     * {@link EventHandler#handleException} is called, and a receive then fails with the error. The end of a stream is
     * reported only for {@link Interest#READ}.
     *
     * @param interest the events; {@link Interest#NONE} to have no hook called until the next change
     */
    public abstract void interest(Interest interest);

    /**
     * Calls no hook for events until {@link #resume()}. What happens in the meantime is dispatched later: bytes,
     * the end of the stream, a reset. A hook that is running is not waited for. Does nothing if it is paused.
     */
    public abstract void pause();

    /** Ends a {@link #pause()}: events that are ready by now are dispatched. Does nothing if it is not paused. */
    public abstract void resume();

    /**
     * Calls {@link EventHandler#handleIdle} when nothing moves for a while; replaces what was asked for before. As
     * received counts that {@link EventHandler#handleInput} was called, as sent that {@link EventHandler#handleOutput}
     * was; what that hook has not sent because the handle was writable does not count. A message costs neither a timer
     * nor a look at the clock, so the time is at least the given one, and at most a quarter longer. For the loop
     * thread, if there is one.
     *
     * @param direction {@link Interest#READ} to notice that nothing is received, {@link Interest#WRITE} that nothing is
     *                  sent, {@link Interest#READ_WRITE} that neither happens
     * @param duration  the time; zero to notice nothing any more
     * @throws IllegalArgumentException if the direction is another one, or the duration is negative
     * @throws IllegalStateException    if there is a loop thread, and the caller is another one
     */
    public abstract void idleTimeout(Interest direction, Duration duration);

    /**
     * Gives the handle to another handler, as when a protocol is replaced by another on the same connection: from now
     * on its hooks are called, for the same events, also for what is ready already. {@link EventHandler#handleClose} is
     * called once, on the handler that the registration has then. What has been received and belongs to the new handler
     * the previous one must give it itself. For a hook of the handle, as a rule as the last thing it does; where there
     * is a loop thread, for that thread only.
     *
     * @param next the new handler
     * @throws IllegalArgumentException if several threads may be inside the hooks of one of the two handlers at once,
     *                                  and not of the other, see {@link EventHandler#isConcurrent()}
     * @throws IllegalStateException    if the registration has ended, or there is a loop thread, and the caller is
     *                                  another one
     * @throws IOException              if the system refuses to report the handle again; it is handed over nevertheless
     */
    public abstract void handOver(EventHandler next) throws IOException;

    /**
     * Ends the registration, with {@link EventHandler#handleClose}, which closes the handle unless it is overridden. To
     * wait for fewer events, or for none for a while, use {@link #interest(Interest)} and {@link #pause()}. May be
     * called again.
     */
    @Override
    public abstract void close();
}
