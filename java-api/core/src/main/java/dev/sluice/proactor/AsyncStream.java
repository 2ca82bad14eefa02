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
 * A connection on a proactor: the paper's Async_Stream. There are two kinds, which share this class because they are
 * the same to the system.
 *
 * <p>A connection of {@link AsyncAcceptor#listen} or {@link #connect} has a {@link StreamHandler}. It receives by
 * itself, and sends with an {@link OutputQueue}. When its handler leaves a buffer to it that has been received, by
 * {@link #send(ProvidedBuffer)}, nothing is copied and nothing has to be given back.
 *
 * <p>A stream of a constructor, or of an {@link AsyncAcceptor#listen(java.util.List,
 * dev.sluice.handle.SocketAcceptor, dev.sluice.connection.ListenOptions, java.util.function.Consumer) acceptor} that
 * gives it to the program, is for a program that starts single operations. Sends are executed in the order they
 * were started, and so are receives. A send that fails, or is cancelled half-way, takes those with it that were started
 * behind it: they fail with {@code EPIPE}, whose cause says what has happened before. The bytes of buffers that are not
 * direct, or that belong to a shared {@code Arena} of the program, are copied.
 *
 * <p>The methods of one kind throw {@link IllegalStateException} on the other.
 */
public final class AsyncStream extends StreamOperations implements Connection {

    /** Null if no socket could be opened to connect. */
    private final @Nullable SocketStream stream;
    /** Null if single operations are started on the stream. */
    private final @Nullable StreamConnection connection;
    /** Null until it is asked for, if the stream was accepted. */
    private volatile @Nullable SocketAddress remote;

    /**
     * Lets operations be started on a stream.
     *
     * @param proactor that calls the handler
     * @param stream   the stream; the caller still owns it
     * @param handler  gets the completions
     * @throws IOException           if the stream or the proactor is closed, or the system refuses
     * @throws IllegalStateException if the stream belongs to an {@code AsyncStream} of this proactor already
     */
    public AsyncStream(Proactor proactor, SocketStream stream, CompletionHandler handler) throws IOException {
        super(proactor, stream.handle(), Objects.requireNonNull(handler, "handler"));
        this.stream = stream;
        this.connection = null;
    }

    /** As {@link #AsyncStream(Proactor, SocketStream, CompletionHandler)}, for completions that go to futures. */
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

    /** A connection. The socket and its association are null if no socket could be opened to connect. */
    private AsyncStream(Proactor proactor, @Nullable SocketStream stream, @Nullable Association association,
            @Nullable SocketAddress remote, StreamHandler handler, Executor hooks) {
        super(proactor, association);
        this.stream = stream;
        this.remote = remote;
        this.connection = new StreamConnection(this, handler, hooks);
    }

    // Connections

    /**
     * Begins to connect, and returns at once. What is sent before the connection is established is queued. If it cannot
     * be established, {@link StreamHandler#failed} is called and then {@link StreamHandler#closed}; {@link #close()}
     * cancels the attempt, and {@code closed} alone is called. In a hook of the proactor no hook of the connection is
     * called before this returns.
     *
     * @param proactor the proactor that calls the hooks
     * @param address  of the peer, not looked up if it is unresolved: then the attempt fails
     * @param timeout  the maximum time to wait; with a duration of centuries only the system's own timeout applies
     * @param handler  its hooks are called
     * @return the connection
     * @throws IllegalArgumentException if the timeout is negative, or there is no connecting to an address of this
     *                                  kind, such as a Unix domain address without a path
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
     * Begins to serve an accepted connection. Called by a thread of the proactor, which closes it if this throws.
     *
     * @param registry where a place is reserved for it
     */
    static void serve(Proactor proactor, SocketStream socket, Connections registry, StreamHandler handler)
            throws IOException {
        Association association = proactor.demultiplexer.associate(socket.handle());
        new AsyncStream(proactor, socket, association, null, handler, proactor.newHookOrder())
                .connection("serve").open(registry);
    }

    private StreamConnection connection(String method) {
        if (connection == null) {
            throw new IllegalStateException(method + ": single operations are started on this stream, which has no"
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
     * Calls no {@link StreamHandler#received} and no {@link StreamHandler#ended} until {@link #resumeInput()}. What has
     * been received by then is kept. To be called where the hooks are called.
     */
    public void pauseInput() {
        confined("pauseInput").input().pause();
    }

    /**
     * Ends {@link #pauseInput()}. If the output queue has paused the input, too, that goes on. To be called where the
     * hooks are called.
     */
    public void resumeInput() {
        confined("resumeInput").input().resume();
    }

    /**
     * Calls {@link StreamHandler#idle} as soon as nothing has been received, or sent, or either, for 1 to 1.25 times a
     * duration, and again after the same time. Costs nothing while messages pass. To be called where the hooks are
     * called.
     *
     * @param direction {@link Interest#READ}, {@link Interest#WRITE} or {@link Interest#READ_WRITE}; each has a time of
     *                  its own
     * @param time      the duration; zero for no limit, which is how a connection begins
     * @throws IllegalArgumentException if the direction is none of these, or the time is negative
     */
    public void idleTimeout(Interest direction, Duration time) {
        confined("idleTimeout").idleTimeout(direction, time);
    }

    /**
     * Gives the connection to another handler, as when a protocol is replaced by another on the same connection. All
     * hooks that are called later are those of the new handler. To be called in a hook of the connection.
     *
     * @param next the new handler
     */
    public void handOver(StreamHandler next) {
        Objects.requireNonNull(next, "next");
        confined("handOver").handOver(next);
    }

    /**
     * Gives the stream back, open, so that another loop can serve it: a new {@code AsyncStream} of another proactor, or
     * a handler of a {@link dev.sluice.reactor.Dispatcher}. No operation may be started here any more. To be called by
     * a hook for this stream, as the last thing it does with it, while nothing is in flight: that would be cancelled.
     * On Windows, a completion port keeps a handle for as long as that is open, so another port cannot take it.
     *
     * @return the stream, which the caller owns
     * @throws IllegalStateException if it was given a {@link StreamHandler}
     */
    public SocketStream detach() {
        requireSingleOperations();
        SocketStream own = socket();
        association().end();
        return own;
    }

    /** {@return the address of the peer; null if it is unknown, since the stream was closed or reset too early} */
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

    /** For hooks that are not overridden: sending is no misuse afterwards. */
    void closeByDefault() {
        connection("closeWhenSent").output().closeWhenSentByDefault();
    }

    /** Closes the connection at once; what is queued is discarded, and what is in flight completes as cancelled. */
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
                    + " send(...), or new AsyncStream(...) for single operations: " + this);
        }
    }

    /** {@return that of a connection that has one} */
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
     * Makes another object for the same stream, to start those operations with that are to have another completion
     * handler. Its tickets are its own, too.
     *
     * @param other gets the completions of what is started with the new object
     * @return the new object
     */
    @CheckReturnValue
    public AsyncStream withHandler(CompletionHandler other) {
        requireSingleOperations();
        return new AsyncStream(this, other);
    }

    /** {@return the stream; null if no socket could be opened to connect} */
    public @Nullable SocketStream stream() {
        return stream;
    }
}
