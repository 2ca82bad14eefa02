package dev.sluice.reactor;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.eventloop.OsSignal;
import dev.sluice.eventloop.SignalHandler;
import dev.sluice.handle.Handle;
import dev.sluice.hook.HookFailure;
import dev.sluice.timer.TimeoutHandler;
import org.slf4j.LoggerFactory;

/**
 * The papers' Event Handler with the multi-method dispatch interface (Reactor paper, implementation activity 1.2): one
 * hook for each type of event, all called by the thread that runs the reactor. A hook must not block. Those that a
 * handler does not override complain, since their event was asked for and is not served.
 *
 * <p>When a hook throws, an exception or an error, {@link #handleFailure} is called first. What happens then depends on
 * the hook:
 * <ul>
 *   <li>{@link #handleInput}, {@link #handleOutput}, {@link #handleException}: the handle's registration ends, with
 *       {@link #handleClose}.
 *       If what was thrown is a {@link dev.sluice.handle.SystemCallException} or a {@link
 *       dev.sluice.handle.HandleClosedException} about another handle that is registered with the same reactor or pool,
 *       as after a send to another connection, then it is that handle whose registration ends and whose handler is
 *       told. The one whose hook it was goes on with its next event; a hook that was in the middle of something catches
 *       the exception. About a handle that is not registered there nobody else would be told: that is a failure of the
 *       hook like any other.
 *   <li>{@link #handleTimeout}: nothing. A repeating timer goes on, and so do the handler's registrations.
 *   <li>{@link #handleSignal}: nothing. The handler stays registered for the signal, and with its handle.
 *   <li>{@link #handleClose}: nothing, the registration has ended already.
 * </ul>
 */
public interface EventHandler extends TimeoutHandler, SignalHandler {

    /**
     * {@return the handle that this handler is registered with by {@link Reactor#registerHandler(EventHandler, int)};
     * the same one each time}
     */
    Handle handle();

    /**
     * {@return whether the hooks go on until the handle is not ready any more: until a receive has brought 0, an accept
     * null, a send less than it was given} False unless overridden. Asked once for each registration.
     *
     * <p>It matters to a {@link Reactor} on an {@linkplain dev.sluice.demultiplexer.Trigger#EDGE edge-triggered} set
     * alone. There the reactor asks the system after each dispatch to report the handle once more if it is still ready,
     * and spares that call a handler that drains. Such a one hears of what it leaves all the same with the next change,
     * perhaps never, unless it has the handle deactivated and reactivated.
     */
    default boolean drains() {
        return false;
    }

    /**
     * {@link EventType#READ}: bytes, a connection, a datagram, the end of the stream or an error can be received. It
     * may turn out that there is nothing after all.
     *
     * @param handle which is ready
     * @throws Exception whatever goes wrong
     */
    default void handleInput(Handle handle) throws Exception {
        throw new UnsupportedOperationException(this + " is registered for READ but does not override handleInput");
    }

    /**
     * {@link EventType#WRITE}: bytes can be sent, or an attempt to connect is over.
     *
     * @param handle which is ready
     * @throws Exception whatever goes wrong
     */
    default void handleOutput(Handle handle) throws Exception {
        throw new UnsupportedOperationException(this + " is registered for WRITE but does not override handleOutput");
    }

    /**
     * {@link EventType#EXCEPTION}: urgent data can be received.
     *
     * @param handle which is ready
     * @throws Exception whatever goes wrong
     */
    default void handleException(Handle handle) throws Exception {
        throw new UnsupportedOperationException(
                this + " is registered for EXCEPTION but does not override handleException");
    }

    @Override
    default void handleTimeout(Object token) throws Exception {
        throw new UnsupportedOperationException(this + " scheduled a timer but does not override handleTimeout");
    }

    /**
     * {@link EventType#SIGNAL}: the process has received a signal.
     *
     * @param signal which one
     * @throws Exception whatever goes wrong
     */
    default void handleSignal(OsSignal signal) throws Exception {
        throw new UnsupportedOperationException(this + " is registered for " + signal
                + " but does not override handleSignal");
    }

    /**
     * A hook of this handler threw, or its registration failed; {@link #handleClose} follows if that ends a
     * registration. Logs a warning unless overridden, of an {@link Error} an error. Must not throw; if it does, that is
     * logged, and the registration ends as it would have.
     *
     * @param handle the one that the hook was called for; null for a timer or a signal
     * @param cause  what was thrown
     */
    default void handleFailure(Handle handle, Throwable cause) {
        HookFailure.log(LoggerFactory.getLogger(EventHandler.class), this, handle, cause);
    }

    /**
     * {@link EventType#CLOSE}: the registration has ended and none of its hooks will be called again. Called once; the
     * place to close the handle.
     *
     * @param handle whose registration it was
     * @param events what it was registered for at the end
     * @throws Exception whatever goes wrong, it is handed to {@link #handleFailure}
     */
    default void handleClose(Handle handle, int events) throws Exception {
        handle.close();
    }
}
