package dev.sluice.proactor;

import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketDatagram;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Sends and receives datagrams asynchronously. */
public final class AsyncDatagram extends AsyncHandle {

    private final SocketDatagram datagram;

    /**
     * Lets operations be started on a datagram socket.
     *
     * @param proactor that calls the handler
     * @param datagram the socket; the caller still owns it
     * @param handler  its {@link CompletionHandler#handleReceive} and {@link CompletionHandler#handleSend} are called
     * @throws IOException           if the socket or the proactor is closed, or the system refuses
     * @throws IllegalStateException if the socket belongs to an {@code AsyncDatagram} of this proactor already
     */
    public AsyncDatagram(Proactor proactor, SocketDatagram datagram, CompletionHandler handler) throws IOException {
        super(proactor, datagram.handle(), Objects.requireNonNull(handler, "handler"));
        this.datagram = datagram;
    }

    /**
     * Lets operations be started on a datagram socket whose completions go to futures, or to a handler that is given
     * with each start.
     *
     * @param proactor that calls the handler
     * @param datagram the socket; the caller still owns it
     * @throws IOException           if the socket or the proactor is closed, or the system refuses
     * @throws IllegalStateException if the socket belongs to an {@code AsyncDatagram} of this proactor already
     */
    public AsyncDatagram(Proactor proactor, SocketDatagram datagram) throws IOException {
        super(proactor, datagram.handle(), null);
        this.datagram = datagram;
    }

    /** {@return the socket, which makes addresses to send to: {@link SocketDatagram#peer}} */
    public SocketDatagram datagram() {
        return datagram;
    }

    /**
     * Receives a datagram. The completion tells its full length, more than the buffer had room for if it was cut off.
     *
     * @param destination takes the bytes that fit
     * @param sender      set to the address it came from; may be null
     * @param token       for the completion
     * @return the ticket
     * @throws IllegalStateException if the socket has had a {@link dev.sluice.handle.DatagramBatch#joined}
     */
    public long receive(ByteBuffer destination, PeerAddress sender, Object token) {
        return receive(handler(), destination, sender, token);
    }

    /**
     * Receives a datagram, see {@link #receive(ByteBuffer, PeerAddress, Object)}.
     *
     * @param destination takes the bytes that fit
     * @param sender      set to the address it came from; may be null
     * @return completes with the datagram's full length
     */
    public CompletableFuture<Long> receiveFuture(ByteBuffer destination, PeerAddress sender) {
        OperationFuture<Long> future = OperationFuture.ofBytes(proactor());
        return future.started(this::cancel, receive(future.handler(), destination, sender, null));
    }

    /**
     * Like {@link #receive(ByteBuffer, PeerAddress, Object)}, with a completion handler of its own.
     *
     * @param target is called instead of the handler of this object
     */
    public long receive(CompletionHandler target, ByteBuffer destination, PeerAddress sender, Object token) {
        datagram.requireSeparate();
        long ticket = claim(target, token);
        claimed(ticket).receiveFrom(association(), destination, sender);
        return ticket;
    }

    /**
     * Sends a datagram.
     *
     * @param source the datagram
     * @param peer   where to, not to be changed until the completion; null for the connected peer
     * @param token  for the completion
     * @return the ticket
     */
    public long send(ByteBuffer source, PeerAddress peer, Object token) {
        return send(handler(), source, peer, token);
    }

    /**
     * Sends a datagram, see {@link #send(ByteBuffer, PeerAddress, Object)}.
     *
     * @param source the datagram
     * @param peer   where to, not to be changed until the completion; null for the connected peer
     * @return completes with the datagram's length
     */
    public CompletableFuture<Long> sendFuture(ByteBuffer source, PeerAddress peer) {
        OperationFuture<Long> future = OperationFuture.ofBytes(proactor());
        return future.started(this::cancel, send(future.handler(), source, peer, null));
    }

    /**
     * Like {@link #send(ByteBuffer, PeerAddress, Object)}, with a completion handler of its own.
     *
     * @param target is called instead of the handler of this object
     */
    public long send(CompletionHandler target, ByteBuffer source, PeerAddress peer, Object token) {
        long ticket = claim(target, token);
        claimed(ticket).sendTo(association(), source, peer);
        return ticket;
    }
}
