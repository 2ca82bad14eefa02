package dev.sluice.leaderfollowers;

import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.OneHandleHandler;
import dev.sluice.reactor.Registration;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/** One connection, used by many threads: requests and responses are an id and a value, 16 bytes. */
final class MultiplexedClient extends OneHandleHandler {

    static final int SIZE = 2 * Long.BYTES;

    private final SocketStream stream;
    private final BoundLeaderFollowersPool<Long> pool;
    private final ByteBuffer received = ByteBuffer.allocateDirect(64 * SIZE);

    private MultiplexedClient(BoundLeaderFollowersPool<Long> pool, SocketStream stream) {
        this.stream = stream;
        this.pool = pool;
    }

    MultiplexedClient(SocketStream stream, BoundLeaderFollowersPool<Long> pool) throws IOException {
        this(pool, stream);
        pool.register(stream.handle(), this);
    }

    /** On one of several handle sets of the pool. */
    MultiplexedClient(HandleSetSource handleSet, SocketStream stream, BoundLeaderFollowersPool<Long> pool)
            throws IOException {
        this(pool, stream);
        pool.register(handleSet, stream.handle(), this);
    }

    long call(long id, long value) throws IOException {
        return call(id, value, EventLoopContract.LIMIT);
    }

    long call(long id, long value, Duration timeout) throws IOException {
        ThreadContext<Long> context = pool.expectResponse(id);
        send(stream, id, value);
        return pool.join(context, timeout);
    }

    static void send(SocketStream stream, long id, long value) throws IOException {
        ByteBuffer message = ByteBuffer.allocate(SIZE).putLong(id).putLong(value).flip();
        synchronized (stream) {
            stream.sendFully(message, EventLoopContract.LIMIT);
        }
    }

    @Override
    public Handle handle() {
        return stream.handle();
    }

    @Override
    public void handleInput(Registration registration) throws IOException {
        int count = stream.receive(received);
        while (count > 0) {
            received.flip();
            while (received.remaining() >= SIZE) {
                pool.handOff(received.getLong(), received.getLong());
            }
            received.compact();
            count = stream.receive(received);
        }
        if (count == SocketStream.END_OF_STREAM) {
            throw new EOFException("the peer has closed " + stream);
        }
    }

    @Override
    public void handleFailure(Registration registration, Throwable cause) {
        // The waiting threads get the failure.
    }
}
