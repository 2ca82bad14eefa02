package dev.sluice.reactor;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.hook.HookFailure;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The papers' Event Handler with the multi-method dispatch interface (Reactor paper, implementation activity 1.2): one
 * hook for each type of event, all called by the thread that runs the reactor, or by one of several. A hook must not
 * block. A hook that is called but not overridden throws, since its event was asked for and is not served.
 *
 * <p>The hooks for the events of one handle ({@link #handleInput}, {@link #handleOutput}, {@link #handleException}) are
 * called one after the other, never at once, and never one inside another even if one of them runs the loop, unless
 * they are {@linkplain #isReentrant() re-entrant}.
 *
 * <p>When a hook throws, an exception or an error, {@link #handleFailure} is called first. What happens then depends on
 * the hook:
 * <ul>
 *   <li>{@link #handleInput}, {@link #handleOutput}, {@link #handleException}, {@link #handleIdle}: the handle's
 *       registration ends, with {@link #handleClose}. If it threw a {@link dev.sluice.handle.SystemCallException} or a
 *       {@link dev.sluice.handle.HandleClosedException} about another handle that is registered with the same reactor
 *       or pool, as after a send to another connection, then the registration of that handle ends, and its handler is
 *       notified. The handler whose hook threw continues with its next event; a hook that must finish what it was doing
 *       catches the exception itself. If the other handle is not registered there, no other handler can be notified,
 *       and it counts as a failure of this hook like any other.
 *   <li>{@link dev.sluice.timer.TimeoutHandler#handleTimeout}, if this is one: nothing. A repeating timer continues,
 *       and so do the handler's registrations.
 *   <li>{@link #handleClose}: nothing, the registration has ended already.
 * </ul>
 */
@FunctionalInterface
public interface EventHandler {

    /**
     * Creates a handler of a function, which gets the events of every type.
     *
     * @param target the function; when a registration has ended it is the one that closes the handle
     * @return the handler
     */
    @CheckReturnValue
    static EventHandler of(SingleMethodHandler target) {
        return new SingleMethodAdapter(target);
    }

    /**
     * {@return whether the hooks continue until the handle is no longer ready: until a receive has returned 0, an
     * accept null, or a send fewer bytes than it was given} False unless overridden. Called once for each registration.
     *
     * <p>It matters only to a {@link Reactor} on an edge-triggered set, such as {@code epoll-edge}. There the reactor
     * asks the system after each dispatch to report the handle once more if it is still ready; for a handler that
     * drains, it saves that call. If such a handler leaves something after all, it is not called until the next change,
     * perhaps never, unless it {@linkplain Registration#pause() pauses} and resumes the registration.
     */
    default boolean drains() {
        return false;
    }

    /**
     * {@return whether the handle is a concurrent handle (Leader/Followers paper, implementation activity 1.1), so that
     * several threads may be inside these hooks for it at once} False unless overridden: a handle is iterative, and its
     * hooks are called one after the other. Called once for each registration.
     *
     * <p>It matters only to a handle set that threads share; a
     * {@link Reactor} calls the hooks of each handle one after the other, however many threads run it. Datagram sockets
     * are concurrent handles, because each call receives or sends one whole datagram, and so are listening sockets.
     * Byte streams are not: the bytes of one message would go to several threads. The library cannot tell them apart,
     * so it takes the handler's word for it.
     *
     * <p>A hook of a concurrent handle must expect that another thread was faster and there is nothing left to receive.
     * {@link #handleFailure} and {@link #handleClose} are still called by one thread, when all hooks have returned; but
     * a hook that is called for another handle of this handler may run at any time. A hook that has the pool dispatch
     * other events meanwhile keeps its handle silent until it returns, as that of an iterative handle does.
     */
    default boolean isConcurrent() {
        return false;
    }

    /**
     * {@return whether a hook that runs the loop may be called again, for another event of its own handle, before it
     * returns} False unless overridden: the handle is suspended until the hook returns. Called once for each
     * registration. It lets a hook wait for an event of its own handle, such as the answer to what it has just sent.
     *
     * <p>Such a hook receives what it was called for before it runs the loop; otherwise the loop calls it for the same
     * bytes again and again, each call inside the last one. It matters only to a {@link Reactor} that one thread runs.
     */
    default boolean isReentrant() {
        return false;
    }

    /**
     * {@link Interest#READ}: bytes, a connection, a datagram, the end of the stream or an error can be received. It may
     * turn out that there is nothing after all.
     *
     * @param registration the registration of the handle that is ready
     * @throws Exception whatever goes wrong
     */
    void handleInput(Registration registration) throws Exception;

    /**
     * {@link Interest#WRITE}: bytes can be sent, or an attempt to connect is over.
     *
     * @param registration the registration of the handle that is ready
     * @throws Exception whatever goes wrong
     */
    default void handleOutput(Registration registration) throws Exception {
        throw new UnsupportedOperationException("interest WRITE, but " + this
                + " does not override handleOutput; override it or remove WRITE");
    }

    /**
     * {@link Interest#EXCEPTION}: urgent data has come. It is received like other data where
     * {@link dev.sluice.handle.NativeSocketOptions#SO_OOBINLINE} is set. It may turn out that there is none: where the
     * system reports it, this is also called when the connection has failed or was hung up, as the next receive or send
     * tells.
     *
     * @param registration the registration of the handle that is ready
     * @throws Exception whatever goes wrong
     */
    default void handleException(Registration registration) throws Exception {
        throw new UnsupportedOperationException("interest EXCEPTION, but " + this
                + " does not override handleException; override it or remove EXCEPTION");
    }

    /**
     * Nothing has been received or sent for as long as {@link Registration#idleTimeout} says. Called as the hooks for
     * events are, never during one of them. Unless overridden, it closes the registration. If the registration stays,
     * this is called again when the same time has passed once more.
     *
     * @param registration the registration on which nothing moves
     * @param direction    {@link Interest#READ} if nothing was received, {@link Interest#WRITE} if nothing was sent,
     *                     {@link Interest#READ_WRITE} if neither
     * @throws Exception whatever goes wrong
     */
    default void handleIdle(Registration registration, Interest direction) throws Exception {
        registration.close();
    }

    /**
     * A hook of this handler threw, or its registration failed; {@link #handleClose} follows if that ends a
     * registration. Unless overridden it logs a warning, or an error if the cause is an {@link Error}. Must not throw;
     * if it does, that is logged, and the registration ends as it would have.
     *
     * @param registration the registration that the hook was called for; null for a timer
     * @param cause        the exception or error
     */
    default void handleFailure(@Nullable Registration registration, Throwable cause) {
        HookFailure.log(LoggerFactory.getLogger(EventHandler.class), this,
                registration == null ? null : registration.handle(), cause);
    }

    /**
     * The registration has ended and none of its hooks will be called again. Called once; the place to close the
     * handle, which it does unless overridden.
     *
     * @param registration the registration that has ended, with the interest that it had at the end
     * @throws Exception whatever goes wrong; it is handed to {@link #handleFailure}
     */
    default void handleClose(Registration registration) throws Exception {
        registration.handle().close();
    }
}
