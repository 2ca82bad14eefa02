package dev.sluice.reactor;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.hook.HookFailure;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The papers' Event Handler with the multi-method dispatch interface (Reactor paper, implementation activity 1.2): one
 * hook for each type of event, called by a thread that runs the reactor. A hook must not block. A hook that is called
 * but not overridden throws, because the registration is for an event that the handler does not handle.
 *
 * <p>The hooks for the events of one handle ({@link #handleInput}, {@link #handleOutput}, {@link #handleException}) are
 * called sequentially: never concurrently, and never one inside another even if one of them runs the loop, unless they
 * are {@linkplain #isReentrant() re-entrant}.
 *
 * <p>When a hook throws an exception or an error, {@link #handleFailure} is called first. Further effects depend on the
 * hook:
 * <ul>
 *   <li>{@link #handleInput}, {@link #handleOutput}, {@link #handleException}, {@link #handleIdle}: the handle's
 *       registration ends, with {@link #handleClose}. If the exception is a
 *       {@link dev.sluice.handle.SystemCallException} or a {@link dev.sluice.handle.HandleClosedException} that names
 *       another handle registered with the same reactor or pool, as after a send to another connection, the
 *       registration of that handle ends instead, and its handler is notified. The handler whose hook threw continues
 *       with its next event; a hook that must complete its work catches the exception itself. If the other handle is
 *       not registered there, the exception counts as a failure of this hook like any other.
 *   <li>{@link dev.sluice.timer.TimeoutHandler#handleTimeout}, if it implements that: none. A periodic timer continues,
 *   and so do the handler's registrations.
 * <li>{@link #handleClose}: none, because the registration has already ended.
 * </ul>
 */
@FunctionalInterface
public interface EventHandler {

    /**
     * Creates a handler that passes events of all types to a function.
     *
     * @param target the function, which must close the handle when the registration has ended
     * @return the handler
     */
    @CheckReturnValue
    static EventHandler of(SingleMethodHandler target) {
        return new SingleMethodAdapter(target);
    }

    /**
     * {@return whether the hooks continue until the handle is no longer ready: until a receive has returned 0, an
     * accept null, or a send fewer bytes than the buffer had} False by default. Called once for each registration.
     *
     * <p>Used only by a {@link Reactor} on an edge-triggered set, such as {@code epoll-edge}. It rearms the handle
     * after each dispatch, by a system call, so that the system reports the handle again if it is still ready; for a
     * handler that drains, it omits that call. If such a handler does not drain the handle nevertheless, it is not
     * called until the next change, possibly never, unless it {@linkplain Registration#pause() pauses} and resumes the
     * registration.
     */
    default boolean drains() {
        return false;
    }

    /**
     * {@return whether the handle is a concurrent handle (Leader/Followers paper, implementation activity 1.1), so that
     * several threads may call its hooks concurrently} False by default: the handle is iterative, and its hooks are
     * called sequentially. Called once for each registration.
     *
     * <p>Used only by a handle set of a Leader/Followers pool; a {@link Reactor} always calls the hooks of a handle
     * sequentially. Datagram sockets are concurrent handles, because each call receives or sends one whole datagram,
     * and so are listening sockets. Byte streams are not, because several threads would receive parts of one message.
     * The library cannot distinguish them, so it relies on the handler.
     *
     * <p>A hook of a concurrent handle must expect that another thread has already received the data.
     * {@link #handleFailure} and {@link #handleClose} are still called by one thread, when all hooks have returned; but
     * a hook that is called for another handle of this handler may run at any time. While a hook makes the pool
     * dispatch other events, its handle is suspended, as an iterative handle is.
     */
    default boolean isConcurrent() {
        return false;
    }

    /**
     * {@return whether a hook that runs the loop may be called again, for another event of its own handle, before it
     * returns} False by default: the handle is suspended until the hook returns. Called once for each registration. If
     * true, a hook can wait for an event of its own handle, such as the reply to a request that it has sent.
     *
     * <p>Such a hook must receive the available bytes before it runs the loop; otherwise the loop calls it for the same
     * bytes recursively. Used only by a single-threaded {@link Reactor}.
     */
    default boolean isReentrant() {
        return false;
    }

    /**
     * Called for {@link Interest#READ}: bytes, a connection, a datagram, the end of the stream or an error can be
     * received. A receive may still return nothing.
     *
     * @param registration the registration of the handle that is ready
     * @throws Exception if the hook fails
     */
    void handleInput(Registration registration) throws Exception;

    /**
     * Called for {@link Interest#WRITE}: bytes can be sent, or an attempt to connect is over.
     *
     * @param registration the registration of the handle that is ready
     * @throws Exception if the hook fails
     */
    default void handleOutput(Registration registration) throws Exception {
        throw new UnsupportedOperationException("interest WRITE, but " + this
                + " does not override handleOutput; override it or remove WRITE");
    }

    /**
     * Called for {@link Interest#EXCEPTION}: urgent data has arrived. It is received like other data if
     * {@link dev.sluice.handle.NativeSocketOptions#SO_OOBINLINE} is set. If the mechanism reports that, this is also
     * called when the connection has failed or was hung up; the next receive or send returns the error.
     *
     * @param registration the registration of the handle that is ready
     * @throws Exception if the hook fails
     */
    default void handleException(Registration registration) throws Exception {
        throw new UnsupportedOperationException("interest EXCEPTION, but " + this
                + " does not override handleException; override it or remove EXCEPTION");
    }

    /**
     * Called when the {@linkplain Registration#idleTimeout idle timeout} has elapsed. Called like the hooks for events,
     * never during one of them. By default, closes the registration. If the registration is not closed, this is called
     * again when the timeout has elapsed once more.
     *
     * @param registration the idle registration
     * @param direction    {@link Interest#READ} if nothing was received, {@link Interest#WRITE} if nothing was sent,
     *                     {@link Interest#READ_WRITE} if neither
     * @throws Exception if the hook fails
     */
    default void handleIdle(Registration registration, Interest direction) throws Exception {
        registration.close();
    }

    /**
     * Called when a hook of this handler has thrown, or its registration has failed; {@link #handleClose} follows if
     * that ends a registration. By default, logs a warning, or an error if the cause is an {@link Error}. Must not
     * throw; if it does, that is logged and has no other effect.
     *
     * @param registration the registration that the hook was called for; null for a timer
     * @param cause        the exception or error
     */
    default void handleFailure(@Nullable Registration registration, Throwable cause) {
        HookFailure.log(LoggerFactory.getLogger(EventHandler.class), this,
                registration == null ? null : registration.handle(), cause);
    }

    /**
     * Called once, when the registration has ended and no other hook of it will be called. By default, closes the
     * handle.
     *
     * @param registration the registration that has ended, with its last interest
     * @throws Exception if the hook fails; passed to {@link #handleFailure}
     */
    default void handleClose(Registration registration) throws Exception {
        registration.handle().close();
    }
}
