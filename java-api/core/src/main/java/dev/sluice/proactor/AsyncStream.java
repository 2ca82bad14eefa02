package dev.sluice.proactor;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.connection.Connection;
import dev.sluice.connection.Connections;
import dev.sluice.connection.OutputQueue;
import dev.sluice.deadline.Timeout;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A connection on a proactor: the paper's Async_Stream. There are two types, which share this class because the system
 * does not distinguish them.
 *
 * <p>A connection of {@link AsyncAcceptor#listen} or {@link #connect} has a {@link StreamHandler}. It receives by
 * itself, and sends with an {@link OutputQueue}. A received buffer can be sent by {@link #send(ProvidedBuffer)} without
 * copying; the connection then releases it.
 *
 * <p>A stream of a constructor, or of an {@link AsyncAcceptor#listen(java.util.List, dev.sluice.handle.SocketAcceptor,
 * dev.sluice.connection.ListenOptions, java.util.function.Consumer) acceptor} that passes it to the program, is for a
 * program that starts individual operations. Sends are executed in the order in which they were started, and so are
 * receives. If a send fails, or is cancelled partway, sends that were started after it fail with {@code EPIPE}, and a
 * cause that names the earlier event. Bytes of buffers that are not direct, or that belong to a shared {@code Arena} of
 * the program, are copied.
 *
 * <p>The methods of one type throw {@link IllegalStateException} on the other.
 */
public final class AsyncStream extends StreamOperations implements Connection {

    /** The socket; null if none could be opened to connect. */
    private final @Nullable SocketStream stream;
    /** The connection; null if the program starts individual operations. */
    private final @Nullable StreamConnection connection;
    /** The address of the peer; null until the first query if the stream was accepted. */
    private volatile @Nullable SocketAddress remote;

    /**
     * Creates a stream for individual operations.
     *
     * @param proactor the proactor that calls the handler
     * @param stream   the socket; still owned by the caller
     * @param handler  receives the completions
     * @throws IOException           if the socket or the proactor is closed, or a system call fails
     * @throws IllegalStateException if there is already an {@code AsyncStream} of this proactor for the socket
     */
    public AsyncStream(Proactor proactor, SocketStream stream, CompletionHandler handler) throws IOException {
        super(proactor, stream.handle(), Objects.requireNonNull(handler, "handler"));
        this.stream = stream;
        this.connection = null;
    }

    /** As {@link #AsyncStream(Proactor, SocketStream, CompletionHandler)}, for operations that return futures. */
    public AsyncStream(Proactor proactor, SocketStream stream) throws IOException {
        super(proactor, stream.handle(), null);
        this.stream = stream;
        this.connection = null;
    }

    private AsyncStream(AsyncStream same, CompletionHandler handler) {
        super(same, handler);
        this.stream = same.stream;
        this.connection = null;
    }

    /** Creates a connection. The socket and its association are null if no socket could be opened to connect. */
    private AsyncStream(Proactor proactor, @Nullable SocketStream stream, @Nullable Association association,
            @Nullable SocketAddress remote, StreamHandler handler, Executor hooks) {
        super(proactor, association);
        this.stream = stream;
        this.remote = remote;
        this.connection = new StreamConnection(this, handler, hooks);
    }

    // Connections

    /**
     * Starts an attempt to connect, and returns immediately. Data that is sent before the connection is established is
     * queued. If it cannot be established, {@link StreamHandler#failed} is called and then
     * {@link StreamHandler#closed}; if {@link #close()} cancels the attempt, only {@code closed} is called. If called
     * in a hook of the proactor, no hook of the connection is called before this method returns.
     *
     * @param proactor the proactor that calls the hooks
     * @param address  the address of the peer; if it is unresolved, the attempt fails
     * @param timeout  the maximum time to wait; with a duration of centuries only the system's own timeout applies
     * @param handler  the handler
     * @return the connection
     * @throws IllegalArgumentException if the timeout is negative, or the address is of a type that cannot be connected
     *                                  to, such as a Unix domain address without a path
     * @throws IllegalStateException    if the proactor is closed
     */
    public static AsyncStream connect(Proactor proactor, SocketAddress address, Duration timeout,
            StreamHandler handler) {
        Objects.requireNonNull(handler, "handler");
        SocketConnector.requireConnectable(address);
        Timeout.nanos("timeout", timeout);
        if (!proactor.isOpen()) {
            throw new IllegalStateException("connect: " + proactor + " is closed; open another loop");
        }
        SocketStream socket = null;
        Association association = null;
        PeerAddress peer = null;
        IOException failure = null;
        try {
            peer = PeerAddress.of(address);
            socket = SocketConnector.unconnected(address, null);
            association = proactor.demultiplexer.associate(socket.handle());
        } catch (IOException e) {
            failure = e;
        } finally {
            if (association == null && socket != null) {
                socket.close();
                socket = null;
            }
        }
        AsyncStream stream = new AsyncStream(proactor, socket, association, address, handler,
                proactor.hookOrderOfCaller());
        stream.connection("connect").connect(peer, timeout, failure);
        return stream;
    }

    /**
     * Starts the service of an accepted connection. Called by a thread of the proactor, which closes it if this throws.
     *
     * @param registry the registry, in which a place is reserved for it
     */
    static void serve(Proactor proactor, SocketStream socket, Connections registry, StreamHandler handler)
            throws IOException {
        Association association = proactor.demultiplexer.associate(socket.handle());
        new AsyncStream(proactor, socket, association, null, handler, proactor.newHookOrder())
                .connection("serve").open(registry);
    }

    private StreamConnection connection(String method) {
        if (connection == null) {
            throw new IllegalStateException(method + ": this stream is for individual operations and has no"
                    + " StreamHandler; use AsyncAcceptor.listen or AsyncStream.connect: " + this);
        }
        return connection;
    }

    private StreamConnection confined(String method) {
        StreamConnection own = connection(method);
        own.requireInside(method);
        return own;
    }

    @Override
    public OutputQueue output() {
        return connection("output").output();
    }

    /** As {@link OutputQueue#send(ByteBuffer)}. */
    public boolean send(ByteBuffer bytes) {
        return connection("send").output().send(bytes);
    }

    /** As {@link OutputQueue#send(ProvidedBuffer)}. */
    public boolean send(ProvidedBuffer buffer) {
        return connection("send").output().send(buffer);
    }

    /** As {@link OutputQueue#send(RetainedBuffer)}. */
    public boolean send(RetainedBuffer buffer) {
        return connection("send").output().send(buffer);
    }

    /**
     * Stops calling {@link StreamHandler#received} and {@link StreamHandler#ended} until {@link #resumeInput()}. Bytes
     * that are received in the meantime are stored. Must be called on the thread that calls the hooks.
     */
    public void pauseInput() {
        confined("pauseInput").input().pause();
    }

    /**
     * Ends {@link #pauseInput()}. If the output queue has paused the input, too, it stays paused. Must be called on the
     * thread that calls the hooks.
     */
    public void resumeInput() {
        confined("resumeInput").input().resume();
    }

    /**
     * Sets an idle timeout. {@link StreamHandler#idle} is called when no data has been received, or sent, or neither,
     * for 1 to 1.25 times the duration, and again after the same time. A message needs no timer operation. Must be
     * called on the thread that calls the hooks.
     *
     * @param direction {@link Interest#READ}, {@link Interest#WRITE} or {@link Interest#READ_WRITE}, which have
     *                  independent timeouts
     * @param time      the duration; zero for no timeout, which is the default
     * @throws IllegalArgumentException if the direction is another one, or the time is negative
     */
    public void idleTimeout(Interest direction, Duration time) {
        confined("idleTimeout").idleTimeout(direction, time);
    }

    /**
     * Replaces the handler, for example when the protocol of the connection changes. From then on the hooks of the new
     * handler are called. Must be called in a hook of the connection.
     *
     * @param next the new handler
     */
    public void handOver(StreamHandler next) {
        Objects.requireNonNull(next, "next");
        confined("handOver").handOver(next);
    }

    /**
     * Detaches the open socket, so that another loop can serve it: a new {@code AsyncStream} of another proactor, or a
     * handler of a {@link dev.sluice.reactor.Dispatcher}. No operation may be started on this object any more. Must be
     * called by a hook of this stream, as its last action with the stream, and while no operation is in flight, because
     * it would be cancelled. On Windows, a handle stays associated with its completion port as long as it is open, so
     * it cannot be associated with another port.
     *
     * @return the socket, which the caller owns
     * @throws IllegalStateException if it has a {@link StreamHandler}
     */
    public SocketStream detach() {
        requireSingleOperations();
        SocketStream own = socket();
        association().end();
        return own;
    }

    /**
     * {@return the address of the peer; null if it is unknown, because the stream was closed or reset before the first
     * query}
     */
    @Override
    public @Nullable SocketAddress remoteAddress() {
        SocketAddress known = remote;
        if (known == null && stream != null) {
            try {
                known = stream.remoteAddress();
                remote = known;
            } catch (IOException e) {
                return null;
            }
        }
        return known;
    }

    @Override
    public long receivedBytes() {
        return connection("receivedBytes").input().receivedBytes();
    }

    @Override
    public long sentBytes() {
        return connection("sentBytes").output().sent();
    }

    @Override
    public long openedNanos() {
        return connection("openedNanos").openedNanos();
    }

    @Override
    public boolean isConnected() {
        return connection("isConnected").isConnected();
    }

    @Override
    public Executor loop() {
        return connection == null ? proactor() : connection.loop();
    }

    @Override
    public void closeWhenSent() {
        output().closeWhenSent();
    }

    /** For default implementations of hooks: sending afterwards is not an error. */
    void closeByDefault() {
        connection("closeWhenSent").output().closeWhenSentByDefault();
    }

    /** Closes the connection immediately; queued data is discarded, and operations in flight complete as cancelled. */
    @Override
    public void close() {
        if (connection != null) {
            connection.output().closeNow();
            connection.close();
        } else {
            super.close();
        }
    }

    @Override
    void requireSingleOperations() {
        if (connection != null) {
            throw new IllegalStateException("this connection receives and sends by itself; use its StreamHandler and"
                    + " send(...), or new AsyncStream(...) for individual operations: " + this);
        }
    }

    /** {@return the socket of a connection that has one} */
    SocketStream socket() {
        assert stream != null;
        return stream;
    }

    boolean hasSocket() {
        return stream != null;
    }

    @Override
    public String toString() {
        return stream == null ? "stream to " + remote : super.toString();
    }

    /**
     * Creates another object for the same stream, to start operations with another completion handler. Tickets are
     * valid only for the object that has returned them.
     *
     * @param other receives the completions of operations that are started with the new object
     * @return the new object
     */
    @CheckReturnValue
    public AsyncStream withHandler(CompletionHandler other) {
        requireSingleOperations();
        return new AsyncStream(this, other);
    }

    /** {@return the socket; null if none could be opened to connect} */
    public @Nullable SocketStream stream() {
        return stream;
    }
}
