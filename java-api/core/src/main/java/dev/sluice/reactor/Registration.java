package dev.sluice.reactor;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.Handle;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;

/**
 * The registration of a handle with a {@link Dispatcher}, from {@link Dispatcher#register}. It ends by
 * {@link #close()}, or because the handle is closed, a hook fails, or the dispatcher is closed. After that, methods
 * that change it do nothing.
 *
 * <p>All methods may be called from any thread, unless specified otherwise. If there is a loop thread, it executes
 * changes that other threads request, in order, before its next wait; until then, methods return the previous values.
 * If another thread has requested the registration, changes by the loop thread apply even before it is made; if the
 * loop thread closes it, it is not made.
 */
public abstract class Registration implements Closeable {

    /** For this library; programs do not create registrations. */
    protected Registration() {
    }

    /** {@return the handle} */
    public abstract Handle handle();

    /** {@return the handler whose hooks are called} */
    public abstract EventHandler handler();

    /** {@return the dispatcher; for a Leader/Followers pool with one handle set, that handle set} */
    public abstract Dispatcher dispatcher();

    /** {@return the events that hooks are called for, even while it is paused; the last ones after it has ended} */
    public abstract Interest interest();

    /** {@return whether it has not ended} */
    public abstract boolean isOpen();

    /** {@return whether it is paused by {@link #pause()}} */
    public abstract boolean isPaused();

    /**
     * Replaces the events that hooks are called for, for example when a handler switches from reading to writing.
     *
     * <p>To detect only a reset of the connection, use {@link Interest#EXCEPTION} alone: if the mechanism reports a
     * reset, as {@code epoll} and {@code poll} do but {@code select} does not, {@link EventHandler#handleException} is
     * called, and a receive then fails with the error. The end of a stream is reported only for {@link Interest#READ}.
     *
     * @param interest the events; {@link Interest#NONE} to call no hook until the next change
     */
    public abstract void interest(Interest interest);

    /**
     * Stops calling hooks for events until {@link #resume()}. Events that occur in the meantime are dispatched later:
     * bytes, the end of the stream, a reset. Does not wait for a running hook. Does nothing if it is already paused.
     */
    public abstract void pause();

    /** Ends a {@link #pause()}: events that are ready now are dispatched. Does nothing if it is not paused. */
    public abstract void resume();

    /**
     * Sets the idle timeout, after which {@link EventHandler#handleIdle} is called; replaces a previous one. A call of
     * {@link EventHandler#handleInput} counts as received data, a call of {@link EventHandler#handleOutput} as sent
     * data; data that is sent in other hooks does not count. A message needs neither a timer operation nor a read of
     * the clock, so the hook is called up to a quarter of the time late. Called by the loop thread, if there is one.
     *
     * @param direction {@link Interest#READ} if no data is received, {@link Interest#WRITE} if no data is sent,
     *                  {@link Interest#READ_WRITE} if neither
     * @param duration  the time; zero to remove the timeout
     * @throws IllegalArgumentException if the direction is another one, or the duration is negative
     * @throws IllegalStateException    if there is a loop thread, and the caller is another thread
     */
    public abstract void idleTimeout(Interest direction, Duration duration);

    /**
     * Replaces the handler, for example when the protocol of a connection changes: from now on the hooks of the new
     * handler are called, for the same events, including those that are already ready. {@link EventHandler#handleClose}
     * is called once, on the handler that the registration has then. The previous handler must pass received data to
     * the new one itself. Called by a hook of the handle, usually as its last action; if there is a loop thread, only
     * by that thread.
     *
     * @param next the new handler
     * @throws IllegalArgumentException if one of the two handlers is {@linkplain EventHandler#isConcurrent()
     *                                  concurrent} and the other is not, in a Leader/Followers pool
     * @throws IllegalStateException    if the registration has ended, or if there is a loop thread, and the caller is
     *                                  another thread
     * @throws IOException              if the handle cannot be rearmed; the handler is replaced nevertheless
     */
    public abstract void handOver(EventHandler next) throws IOException;

    /**
     * Ends the registration, with {@link EventHandler#handleClose}, which closes the handle by default. To receive
     * fewer events, or none for some time, use {@link #interest(Interest)} and {@link #pause()}. Closing again does
     * nothing.
     */
    @Override
    public abstract void close();
}
