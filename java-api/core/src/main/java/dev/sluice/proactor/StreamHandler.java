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
 * Handler, with a typed hook for each event of a connection. The hooks of one connection are called one at a time, by a
 * thread that runs its proactor, and the effects of each are visible to the next. A hook must not block.
 *
 * <p>A connection's first hook is {@link #opened}, unless it could not be established, and its last one is
 * {@link #closed}, exactly once. An exception of a hook is passed to {@link #failed}, and ends only that connection.
 */
@FunctionalInterface
public interface StreamHandler {

    /**
     * Called when the connection is established. It receives from now on, unless its input is paused.
     *
     * @param stream the connection
     * @throws Exception if the hook fails; the connection is closed
     */
    default void opened(AsyncStream stream) throws Exception {
    }

    /**
     * Called when bytes have been received.
     *
     * @param stream the connection
     * @param buffer a buffer with at least one byte, valid until this method returns, unless it is retained or sent
     * @throws Exception if the hook fails; the connection is closed
     */
    void received(AsyncStream stream, ProvidedBuffer buffer) throws Exception;

    /**
     * Called when the peer has ended its output. By default, closes the connection when all queued data has been sent.
     *
     * @param stream the connection, which closes when its output is shut down, too
     * @throws Exception if the hook fails; the connection is closed
     */
    default void ended(AsyncStream stream) throws Exception {
        stream.closeByDefault();
    }

    /**
     * Called when all queued data has been sent.
     *
     * @param stream the connection
     * @throws Exception if the hook fails; the connection is closed
     */
    default void sent(AsyncStream stream) throws Exception {
    }

    /**
     * Called when an {@linkplain AsyncStream#idleTimeout idle timeout} has elapsed. By default, closes the connection.
     *
     * @param stream    the connection
     * @param direction the idle direction; {@link Interest#READ_WRITE} if both are idle
     * @throws Exception if the hook fails; the connection is closed
     */
    default void idle(AsyncStream stream, Interest direction) throws Exception {
        stream.close();
    }

    /**
     * Called when the proactor, or the registry of the connection, is stopped in order, to make the service end. Unless
     * the program has paused the input, bytes that had arrived before have been received. By default, closes the
     * connection when all queued data has been sent. At the deadline of the stop, the connection is closed.
     *
     * @param stream the connection
     * @throws Exception if the hook fails; the connection is closed
     */
    default void finish(AsyncStream stream) throws Exception {
        stream.closeByDefault();
    }

    /**
     * Called when the connection has failed, could not be established, or one of its hooks has thrown an exception. The
     * connection is closed after this method returns. By default, logs the failure: network failures at debug level,
     * others as a warning.
     *
     * @param stream    the connection
     * @param operation the operation that has failed, or whose hook has thrown
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
     * Called when the connection has ended: the last hook, called exactly once, even if the connection could not be
     * established. Its exceptions are logged.
     *
     * @param stream the connection
     */
    default void closed(AsyncStream stream) {
    }
}
