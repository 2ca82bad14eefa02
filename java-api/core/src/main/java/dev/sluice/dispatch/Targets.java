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
 * The loops that an acceptor hands its connections out to. A connection on which no service could be begun is closed:
 * that is one connection, and not those that are accepted after it. Connections are handed out by one thread at a time.
 *
 * @param <L> the kind of loop
 */
public final class Targets<L extends Executor> {

    private final Logger logger;
    private final Object acceptor;
    private final L own;
    private final List<L> open;
    private final List<L> shown;
    private final Distribution distribution;

    /**
     * Begins a service.
     *
     * @param <L> the kind of loop
     * @param <X> what it throws
     */
    @FunctionalInterface
    public interface Beginning<L, X extends Exception> {

        /**
         * Begins it, by a thread of the loop.
         *
         * @param loop the loop that serves it
         * @throws X whatever goes wrong
         */
        void begin(L loop) throws X;
    }

    /**
     * Makes targets of the given loops. Loads the classes that closing a connection needs, because a class that is
     * first used after an {@link OutOfMemoryError} cannot be loaded.
     *
     * @param logger       of the acceptor
     * @param acceptor     named in the log
     * @param loops        the acceptor's own loop, and any others
     * @param distribution chooses one of those that are open
     */
    public Targets(Logger logger, Object acceptor, List<? extends L> loops, Distribution distribution) {
        this.logger = logger;
        this.acceptor = acceptor;
        this.own = loops.get(0);
        this.open = new ArrayList<>(List.copyOf(loops));
        this.shown = Collections.unmodifiableList(open);
        this.distribution = Objects.requireNonNull(distribution, "distribution");
        HookFailure.prepare();
    }

    /**
     * Begins a service on a connection: at once if the acceptor's own loop is chosen, otherwise as a task of the one
     * that is chosen. A loop that has been closed, perhaps because it has failed, is left out from then on.
     *
     * @param stream  the connection
     * @param service begins it
     * @param <X>     what that throws
     * @throws X      what the beginning throws on the acceptor's own loop
     */
    public <X extends Exception> void handOut(SocketStream stream, Beginning<? super L, X> service) throws X {
        while (true) {
            L target = open.get(distribution.choose(stream, shown));
            if (target == own) {
                service.begin(target);
                return;
            }
            try {
                target.execute(() -> beginElsewhere(stream, service, target));
                return;
            } catch (RejectedExecutionException e) {
                logger.debug("{} is closed", target, e);
                open.remove(target);
            }
        }
    }

    /** A task of another loop, like any other: the loop would not close the connection. */
    private void beginElsewhere(SocketStream stream, Beginning<? super L, ?> service, L target) {
        try {
            service.begin(target);
        } catch (Throwable e) {
            reject(stream, e);
        }
    }

    /**
     * Closes a connection that there is no place for. Does not throw.
     *
     * @param stream the connection
     * @param hook   called before
     */
    public void refuse(SocketStream stream, Consumer<? super SocketStream> hook) {
        try {
            hook.accept(stream);
            stream.close();
        } catch (Throwable e) {
            reject(stream, e);
        }
    }

    /**
     * Closes a connection, and logs why. Does not throw.
     *
     * @param stream the connection
     * @param cause  the exception or error
     */
    public void reject(SocketStream stream, Throwable cause) {
        // First, because it needs no memory and the log does.
        try {
            stream.close();
        } catch (Throwable e) {
            HookFailure.log(logger, acceptor, stream, e);
        }
        HookFailure.log(logger, acceptor, stream, cause);
    }
}
