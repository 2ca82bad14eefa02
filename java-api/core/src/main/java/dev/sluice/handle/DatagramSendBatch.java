package dev.sluice.handle;

import dev.sluice.calls.Errno;
import dev.sluice.system.DatagramArray;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Sends datagrams several at a time, in one call where the system has one for that (Linux's {@code sendmmsg}): the
 * counterpart of {@link DatagramBatch}. Datagrams are {@linkplain #add added}, each for the same peer or for another,
 * and stay in the batch until the socket has taken them.
 *
 * <p>Where the system has segmentation offload for the socket (Linux's {@code UDP_SEGMENT}, udp(7)), consecutive
 * datagrams of the same length to the same peer pass the kernel as one message, which is split when it leaves the
 * network stack, or by the network card. The peer receives the same datagrams. If a route or a device does not support
 * that, they are sent individually.
 *
 * <p>Owns native memory, not the socket. Confined to one thread at a time; adding and sending allocate nothing.
 */
public final class DatagramSendBatch implements Closeable {

    private final SocketDatagram socket;
    private final DatagramArray datagrams;
    /** Index of the first datagram that has not been sent. The others follow it; after the last index comes index 0. */
    private int first;
    private int count;
    private final PeerAddress replyTo = new PeerAddress();

    /**
     * Creates an empty batch.
     *
     * @param socket   the socket to send from; still owned by the caller
     * @param capacity the maximum number of datagrams, 1 to {@value DatagramBatch#MAX_CAPACITY}
     * @param maxDatagramSize     the maximum length of each in bytes, at least 1
     * @throws IllegalArgumentException if one of the numbers is out of range, or the batch would exceed 1 GiB
     * @throws IOException              if the socket is closed
     */
    public DatagramSendBatch(SocketDatagram socket, int capacity, int maxDatagramSize) throws IOException {
        DatagramBatch.check(capacity, maxDatagramSize);
        this.socket = socket;
        boolean segmentation = socket.call(fd -> socket.system.supportsSegmentation(fd) ? 1 : 0) != 0;
        datagrams = DatagramArray.toSend(socket.memory, capacity, maxDatagramSize, segmentation);
    }

    /**
     * Switches segmentation offload on or off; it is on by default. Without it, the queueing discipline, packet filters
     * and {@code tcpdump} on this machine see each datagram as a separate packet.
     *
     * @param enabled true to use it where the system has it
     */
    public void useSegmentation(boolean enabled) {
        datagrams.useSegmentation(enabled);
    }

    /**
     * Adds a datagram, typically a reply to the sender of another one.
     *
     * @param source the datagram; if it was added, it has been copied and its position is its limit
     * @param peer   the address to send to; copied too
     * @return whether it was added; false if the batch is full
     * @throws IllegalArgumentException if the address names no peer, or the datagram exceeds the maximum size of this
     *                                  batch
     * @throws IllegalStateException    if this batch is closed
     */
    public boolean add(ByteBuffer source, PeerAddress peer) {
        if (!peer.hasAddress()) {
            throw new IllegalArgumentException("the address names no peer");
        }
        return put(source, peer);
    }

    /**
     * Adds a datagram for the connected peer, as {@link #add(ByteBuffer, PeerAddress)} does.
     *
     * @throws IllegalArgumentException if the datagram exceeds the maximum size of this batch
     * @throws IllegalStateException    if this batch is closed
     */
    public boolean add(ByteBuffer source) {
        return put(source, null);
    }

    /**
     * Adds a copy of a received datagram, as the reply to its sender.
     *
     * @param received the batch that has received it
     * @param index    the index of the datagram in that batch
     * @return whether it was added; false if this batch is full
     * @throws IllegalArgumentException if it has no sender, or exceeds the maximum size of this batch
     * @throws IllegalStateException    if this batch is closed
     */
    public boolean addReply(DatagramBatch received, int index) {
        received.sender(index, replyTo);
        return add(received.datagram(index), replyTo);
    }

    private boolean put(ByteBuffer source, @Nullable PeerAddress peer) {
        requireOpen();
        if (source.remaining() > datagrams.maxDatagramSize()) {
            throw new IllegalArgumentException("datagram of " + source.remaining()
                    + " bytes exceeds the maximum of this batch, " + datagrams.maxDatagramSize() + " bytes");
        }
        if (count == datagrams.capacity()) {
            return false;
        }
        int place = place(count);
        int addressLength = peer == null ? 0 : peer.writeTo(datagrams.memory(), datagrams.addressAt(place));
        datagrams.put(place, source, addressLength);
        source.position(source.limit());
        count++;
        return true;
    }

    private int place(int index) {
        return (first + index) % datagrams.capacity();
    }

    private void requireOpen() {
        if (datagrams.isClosed()) {
            throw new IllegalStateException("the batch is closed");
        }
    }

    /** {@return the number of datagrams that have not been sent} */
    public int count() {
        return count;
    }

    /**
     * Sends the datagrams of the batch in the order in which they were added, until all are sent or the socket's buffer
     * is full; the next call is then not needed until the socket is ready again. Sent datagrams are removed from the
     * batch even if this call throws, so {@link #count()} is always the exact number of remaining ones.
     *
     * <p>On Linux, an error of an earlier datagram that occurs between two datagrams of the same call is lost: neither
     * this call nor the next one reports it (sendmmsg(2), "BUGS").
     *
     * @return the number of datagrams that this call has sent, each of them whole
     * @throws IllegalStateException if this batch is closed
     * @throws SystemCallException   if the first remaining datagram cannot be sent, such as {@code EMSGSIZE},
     *                               {@code EDESTADDRREQ} without an address on a socket that is not connected, or
     *                               {@code ECONNREFUSED} for an earlier datagram, which is reported once. The datagram
     *                               stays the first of the batch: send again, or {@linkplain #skip skip} it
     * @throws HandleClosedException if the socket is closed
     */
    public int send() throws IOException {
        requireOpen();
        int sent = 0;
        long fd = socket.descriptor.acquire();
        try {
            while (count > 0) {
                // Only the next call reports why this one has sent fewer than given (sendmmsg(2), "RETURN VALUE").
                int result = socket.system.sendTo(fd, datagrams, first, Math.min(count, datagrams.capacity() - first));
                if (result > 0) {
                    remove(result);
                    sent += result;
                } else if (SocketEndpoint.wouldBlock(result)) {
                    break;
                } else if (!Errno.EINTR.is(result)) {
                    throw failure(result);
                }
            }
        } finally {
            socket.descriptor.release();
        }
        return sent;
    }

    /**
     * Sends the datagrams of the batch as {@link #send()} does, and drops those that cannot be sent now: those for
     * which the socket's buffer has no space, and each that causes an error. The batch is empty afterwards.
     *
     * @return the number of datagrams dropped
     * @throws IllegalStateException if this batch is closed
     * @throws HandleClosedException if the socket is closed
     */
    public int sendOrDrop() throws IOException {
        int dropped = 0;
        while (!sendUntilError()) {
            skip();
            dropped++;
        }
        dropped += count;
        clear();
        return dropped;
    }

    /** {@return false if the first remaining datagram causes an error} */
    private boolean sendUntilError() throws IOException {
        try {
            send();
            return true;
        } catch (HandleClosedException e) {
            throw e;
        } catch (SystemCallException e) {
            return false;
        }
    }

    private void remove(int number) {
        count -= number;
        // An empty batch starts at index 0 again, so that one call can send all of it.
        first = count == 0 ? 0 : place(number);
    }

    private SystemCallException failure(int result) {
        int addressLength = datagrams.addressLength(first);
        if (addressLength == 0) {
            return new SystemCallException("sendmmsg", socket.handle(), result);
        }
        PeerAddress peer = new PeerAddress();
        peer.readFrom(datagrams.memory(), datagrams.addressAt(first), addressLength);
        return new SystemCallException("sendmmsg", socket.handle(), " to " + peer, result);
    }

    /**
     * Removes the first remaining datagram without sending it, as after an error that another attempt would cause
     * again.
     *
     * @throws IllegalStateException if the batch is empty
     */
    public void skip() {
        if (count == 0) {
            throw new IllegalStateException("the batch is empty");
        }
        remove(1);
    }

    /** Removes all remaining datagrams without sending them. */
    public void clear() {
        remove(count);
    }

    /** Frees the memory, and discards the remaining datagrams. The socket stays open. */
    @Override
    public void close() {
        clear();
        datagrams.close();
    }
}
