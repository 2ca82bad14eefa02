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
     * Creates an object to start operations on a datagram socket.
     *
     * @param proactor the proactor that calls the handler
     * @param datagram the socket; still owned by the caller
     * @param handler  receives the completions
     * @throws IOException           if the socket or the proactor is closed, or a system call fails
     * @throws IllegalStateException if there is already an {@code AsyncDatagram} of this proactor for the socket
     */
    public AsyncDatagram(Proactor proactor, SocketDatagram datagram, CompletionHandler handler) throws IOException {
        super(proactor, datagram.handle(), Objects.requireNonNull(handler, "handler"));
        this.datagram = datagram;
    }

    /** As {@link #AsyncDatagram(Proactor, SocketDatagram, CompletionHandler)}, for operations that return futures. */
    public AsyncDatagram(Proactor proactor, SocketDatagram datagram) throws IOException {
        super(proactor, datagram.handle(), null);
        this.datagram = datagram;
    }

    /** {@return the socket, which creates addresses to send to: {@link SocketDatagram#peer}} */
    public SocketDatagram datagram() {
        return datagram;
    }

    /**
     * Receives a datagram. The result is its full length, more than the buffer had remaining if it was truncated.
     *
     * @param destination takes the bytes that fit
     * @param sender      set to the address it came from; may be null
     * @param token       the token of the completion; may be null
     * @return the ticket
     * @throws IllegalStateException if a {@link dev.sluice.handle.DatagramBatch#coalesced} has been created for the
     *                               socket
     */
    public long receive(ByteBuffer destination, @Nullable PeerAddress sender, @Nullable Object token) {
        datagram.requireSeparate();
        long ticket = claim(token);
        claimed(ticket).receiveFrom(association(), destination, sender);
        return ticket;
    }

    /** {@return a future of the datagram's full length; see {@link #receive(ByteBuffer, PeerAddress, Object)}} */
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
     * @param peer   the address to send to, which must not be changed until the completion; null for the connected peer
     * @param token  the token of the completion; may be null
     * @return the ticket
     */
    public long send(ByteBuffer source, @Nullable PeerAddress peer, @Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).sendTo(association(), source, peer);
        return ticket;
    }

    /** {@return a future of the datagram's length; see {@link #send(ByteBuffer, PeerAddress, Object)}} */
    @CheckReturnValue
    public CompletableFuture<Long> sendFuture(ByteBuffer source, @Nullable PeerAddress peer) {
        OperationFuture<Long> future = OperationFuture.ofBytes(proactor(), this::cancel);
        claimFor(future).sendTo(association(), source, peer);
        return future;
    }
}
