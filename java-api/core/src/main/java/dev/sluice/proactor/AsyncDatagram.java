package dev.sluice.proactor;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketDatagram;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Sends and receives datagrams asynchronously. */
public final class AsyncDatagram extends AsyncHandle {

    private final SocketDatagram datagram;

    /**
     * Lets operations be started on a datagram socket.
     *
     * @param proactor that calls the handler
     * @param datagram the socket; the caller still owns it
     * @param handler  gets the completions
     * @throws IOException           if the socket or the proactor is closed, or the system refuses
     * @throws IllegalStateException if the socket belongs to an {@code AsyncDatagram} of this proactor already
     */
    public AsyncDatagram(Proactor proactor, SocketDatagram datagram, CompletionHandler handler) throws IOException {
        super(proactor, datagram.handle(), Objects.requireNonNull(handler, "handler"));
        this.datagram = datagram;
    }

    /** As {@link #AsyncDatagram(Proactor, SocketDatagram, CompletionHandler)}, for completions that go to futures. */
    public AsyncDatagram(Proactor proactor, SocketDatagram datagram) throws IOException {
        super(proactor, datagram.handle(), null);
        this.datagram = datagram;
    }

    /** {@return the socket, which makes addresses to send to: {@link SocketDatagram#peer}} */
    public SocketDatagram datagram() {
        return datagram;
    }

    /**
     * Receives a datagram. The result is its full length, more than the buffer had space for if it was truncated.
     *
     * @param destination takes the bytes that fit
     * @param sender      set to the address it came from; may be null
     * @param token       for the completion; may be null
     * @return the ticket
     * @throws IllegalStateException if the socket has had a {@link dev.sluice.handle.DatagramBatch#joined}
     */
    public long receive(ByteBuffer destination, @Nullable PeerAddress sender, @Nullable Object token) {
        datagram.requireSeparate();
        long ticket = claim(token);
        claimed(ticket).receiveFrom(association(), destination, sender);
        return ticket;
    }

    /** {@return completes with the datagram's full length; see {@link #receive(ByteBuffer, PeerAddress, Object)}} */
    @CheckReturnValue
    public CompletableFuture<Long> receiveFuture(ByteBuffer destination, @Nullable PeerAddress sender) {
        datagram.requireSeparate();
        OperationFuture<Long> future = OperationFuture.ofBytes(proactor(), this::cancel);
        claimFor(future).receiveFrom(association(), destination, sender);
        return future;
    }

    /**
     * Sends a datagram.
     *
     * @param source the datagram
     * @param peer   the address to send to, not to be changed until the completion; null for the connected peer
     * @param token  for the completion; may be null
     * @return the ticket
     */
    public long send(ByteBuffer source, @Nullable PeerAddress peer, @Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).sendTo(association(), source, peer);
        return ticket;
    }

    /** {@return completes with the datagram's length; see {@link #send(ByteBuffer, PeerAddress, Object)}} */
    @CheckReturnValue
    public CompletableFuture<Long> sendFuture(ByteBuffer source, @Nullable PeerAddress peer) {
        OperationFuture<Long> future = OperationFuture.ofBytes(proactor(), this::cancel);
        claimFor(future).sendTo(association(), source, peer);
        return future;
    }
}
