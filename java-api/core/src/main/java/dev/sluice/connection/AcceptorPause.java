package dev.sluice.connection;

import dev.sluice.failure.OutOfMemoryRetry;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SystemCallException;
import dev.sluice.hook.HookFailure;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.Registration;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pauses of an {@link Acceptor} while descriptors or memory are lacking. A shortage is logged once, and again only
 * after a connection has been accepted. Accessed by the thread that accepts.
 */
final class AcceptorPause {

    static final Duration DURATION = Duration.ofMillis(100);

    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);

    private final Acceptor acceptor;
    private final Dispatcher dispatcher;
    private final SocketAcceptor socket;
    /** {@link #resumeNow()} as an object, because a pause must end even if there is no memory. */
    private final Runnable resumption = this::resumeNow;
    private @Nullable Registration registration;
    private boolean shortageLogged;

    AcceptorPause(Acceptor acceptor, Dispatcher dispatcher, SocketAcceptor socket) {
        this.acceptor = acceptor;
        this.dispatcher = dispatcher;
        this.socket = socket;
    }

    /** Called when a connection has been accepted. */
    void accepted() {
        shortageLogged = false;
    }

    /**
     * Pauses the registration of the listening socket. A timer of the acceptor expires when {@link #end()} must be
     * called.
     */
    void begin(Registration listening, SystemCallException cause) {
        registration = listening;
        try {
            if (!shortageLogged) {
                LOG.warn("accepting is paused: {}", cause.getMessage());
                shortageLogged = true;
            }
            listening.pause();
            try {
                dispatcher.schedule(acceptor, null, DURATION);
            } catch (Throwable e) {
                end();
                throw e;
            }
        } catch (OutOfMemoryError e) {
            sleep(e);
        }
    }

    /** Pauses without a timer, which would need memory. The handle stays active, and is reported again. */
    void sleep(OutOfMemoryError failure) {
        if (!shortageLogged) {
            HookFailure.log(LOG, acceptor, "a connection", failure);
            shortageLogged = true;
        }
        OutOfMemoryRetry.pause();
    }

    /** Resumes the registration, or closes the listening socket if that fails. */
    void end() {
        try {
            OutOfMemoryRetry.retryUntilAvailable(resumption);
        } catch (RuntimeException | Error e) {
            // If it stayed open, clients would wait in the backlog and never be accepted.
            socket.close();
            throw e;
        }
    }

    private void resumeNow() {
        Registration paused = registration;
        assert paused != null;
        paused.resume();
    }
}
