package dev.sluice.dispatch;

import dev.sluice.connection.Distribution;
import dev.sluice.handle.SocketStream;
import dev.sluice.hook.HookFailure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;

/**
 * The loops among which an acceptor distributes its connections. A connection whose service cannot be started is
 * closed; connections accepted later are not affected. One thread at a time distributes connections.
 *
 * @param <L> the type of the loops
 */
public final class Targets<L extends Executor> {

    private final Logger logger;
    private final Object acceptor;
    private final L own;
    private final List<L> open;
    private final List<L> openView;
    private final Distribution distribution;

    /**
     * Starts a service.
     *
     * @param <L> the type of the loop
     * @param <X> the type of its exceptions
     */
    @FunctionalInterface
    public interface Beginning<L, X extends Exception> {

        /**
         * Starts the service, on a thread of the loop.
         *
         * @param loop the loop of the service
         * @throws X if the service cannot be started
         */
        void begin(L loop) throws X;
    }

    /**
     * Creates an object for the given loops. Loads the classes that closing a connection needs, because a class that is
     * first used after an {@link OutOfMemoryError} may fail to load.
     *
     * @param logger       the logger of the acceptor
     * @param acceptor     the acceptor, for log messages
     * @param loops        the acceptor's own loop, followed by any others
     * @param distribution chooses one of the open loops for each connection
     */
    public Targets(Logger logger, Object acceptor, List<? extends L> loops, Distribution distribution) {
        this.logger = logger;
        this.acceptor = acceptor;
        this.own = loops.get(0);
        this.open = new ArrayList<>(List.copyOf(loops));
        this.openView = Collections.unmodifiableList(open);
        this.distribution = Objects.requireNonNull(distribution, "distribution");
        HookFailure.prepare();
    }

    /**
     * Starts a service on a connection: immediately if the acceptor's own loop is chosen, otherwise as a task of the
     * chosen loop. A loop that has been closed, possibly because it has failed, is not chosen any more.
     *
     * @param stream  the connection
     * @param service starts the service
     * @param <X>     the type of its exceptions
     * @throws X if the service cannot be started on the acceptor's own loop
     */
    public <X extends Exception> void assign(SocketStream stream, Beginning<? super L, X> service) throws X {
        while (true) {
            L target = open.get(distribution.choose(stream, openView));
            if (target == own) {
                service.begin(target);
                return;
            }
            try {
                target.execute(() -> beginOnTarget(stream, service, target));
                return;
            } catch (RejectedExecutionException e) {
                logger.debug("{} is closed", target, e);
                open.remove(target);
            }
        }
    }

    /** Run as a task of another loop. Closes the connection on failure, which the loop would not do. */
    private void beginOnTarget(SocketStream stream, Beginning<? super L, ?> service, L target) {
        try {
            service.begin(target);
        } catch (Throwable e) {
            closeFailed(stream, e);
        }
    }

    /**
     * Closes a connection that exceeds a limit. Does not throw.
     *
     * @param stream the connection
     * @param hook   called before the close
     */
    public void reject(SocketStream stream, Consumer<? super SocketStream> hook) {
        try {
            hook.accept(stream);
            stream.close();
        } catch (Throwable e) {
            closeFailed(stream, e);
        }
    }

    /**
     * Closes a connection, and logs the cause. Does not throw.
     *
     * @param stream the connection
     * @param cause  the exception or error
     */
    public void closeFailed(SocketStream stream, Throwable cause) {
        // Before the log, because it needs no memory.
        try {
            stream.close();
        } catch (Throwable e) {
            HookFailure.log(logger, acceptor, stream, e);
        }
        HookFailure.log(logger, acceptor, stream, cause);
    }
}
