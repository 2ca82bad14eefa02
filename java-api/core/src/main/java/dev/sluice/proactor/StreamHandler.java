package dev.sluice.proactor;

import dev.sluice.connection.OutputLimitException;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.handle.SystemCallException;
import dev.sluice.hook.HookFailure;
import java.net.SocketTimeoutException;
import org.slf4j.LoggerFactory;

/**
 * A service on connections of {@link AsyncAcceptor#listen} and {@link AsyncStream#connect}: the paper's Completion
 * Handler, with a typed hook for each thing that happens to a connection. The hooks of one connection are called one at
 * a time, by the thread that runs its proactor, and each sees what the previous ones have written. A hook must not
 * block.
 *
 * <p>A connection's first hook is {@link #opened}, unless it could not be established, and its last one is {@link
 * #closed}, exactly once. Whatever a hook throws goes to {@link #failed}, and ends that connection alone.
 */
@FunctionalInterface
public interface StreamHandler {

    /**
     * The connection is established. It receives from now on, unless its input is paused.
     *
     * @param stream the connection
     * @throws Exception whatever is wrong; the connection is closed
     */
    default void opened(AsyncStream stream) throws Exception {
    }

    /**
     * Bytes have come.
     *
     * @param stream the connection
     * @param buffer has the bytes, at least one, until this returns, unless it is retained or sent
     * @throws Exception whatever is wrong; the connection is closed
     */
    void received(AsyncStream stream, ProvidedBuffer buffer) throws Exception;

    /**
     * The peer has sent all it will send. Unless overridden, what is queued is sent, and the connection is closed.
     *
     * @param stream the connection; it closes itself when its output is shut down, too
     * @throws Exception whatever is wrong; the connection is closed
     */
    default void ended(AsyncStream stream) throws Exception {
        stream.closeByDefault();
    }

    /**
     * All that was queued has been sent: more may be.
     *
     * @param stream the connection
     * @throws Exception whatever is wrong; the connection is closed
     */
    default void sent(AsyncStream stream) throws Exception {
    }

    /**
     * Nothing has passed for the time of {@link AsyncStream#idleTimeout}. Unless overridden, the connection is closed.
     *
     * @param stream    the connection
     * @param direction in which nothing has passed; in neither if it is {@link Interest#READ_WRITE}
     * @throws Exception whatever is wrong; the connection is closed
     */
    default void idle(AsyncStream stream, Interest direction) throws Exception {
        stream.close();
    }

    /**
     * The proactor, or the registry of the connection, is being stopped: the connection should come to its end. Unless
     * the program has paused its input, what had come before has been received. Unless overridden, what is queued is
     * sent, and the connection is closed. Those that are left at the deadline of the stop are closed.
     *
     * @param stream the connection
     * @throws Exception whatever is wrong; the connection is closed
     */
    default void finish(AsyncStream stream) throws Exception {
        stream.closeByDefault();
    }

    /**
     * The connection has failed, or could not be established, or one of its hooks has thrown something. It is closed
     * when this returns. Unless overridden this is logged: failures of the network at debug level, others as a warning.
     *
     * @param stream    the connection
     * @param operation what has failed, or what the hook was called for
     * @param cause     the failure
     */
    default void failed(AsyncStream stream, OperationType operation, Throwable cause) {
        boolean peer = cause instanceof SystemCallException || cause instanceof SocketTimeoutException
                || cause instanceof OutputLimitException;
        if (peer && operation != OperationType.CONNECT) {
            LoggerFactory.getLogger(StreamHandler.class).debug("{} failed", stream, cause);
        } else {
            HookFailure.log(LoggerFactory.getLogger(StreamHandler.class), this, stream, cause);
        }
    }

    /**
     * The connection has come to its end: the last hook, called exactly once, also if it could not be established. What
     * it throws is logged.
     *
     * @param stream the connection
     */
    default void closed(AsyncStream stream) {
    }
}
