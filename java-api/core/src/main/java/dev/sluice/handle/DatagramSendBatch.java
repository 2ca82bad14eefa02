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
 * <p>Where the system has segmentation offload for the socket (Linux's {@code UDP_SEGMENT}, udp(7)), datagrams that
 * follow each other, have the same length and go to the same peer pass the kernel joined, and are cut apart at the end
 * of that way, or by the network card. What arrives is the same. Where a route or a device refuses that, they go as
 * they are.
 *
 * <p>Owns native memory, not the socket. Belongs to one thread at a time; adding and sending allocate nothing.
 */
public final class DatagramSendBatch implements Closeable {

    private final SocketDatagram socket;
    private final DatagramArray datagrams;
    /** Where the first of those that are left lies. The others follow it, from the last place on at the first place. */
    private int first;
    private int count;
    private final PeerAddress replyTo = new PeerAddress();

    /**
     * Creates an empty batch.
     *
     * @param socket   to send from; stays the caller's
     * @param capacity the maximum number of datagrams, 1 to {@value DatagramBatch#MAX_CAPACITY}
     * @param room     the maximum length of each in bytes, at least 1
     * @throws IllegalArgumentException if one of the numbers is out of range, or all of it would be more than 1 GiB
     * @throws IOException              if the socket is closed
     */
    public DatagramSendBatch(SocketDatagram socket, int capacity, int room) throws IOException {
        DatagramBatch.check(capacity, room);
        this.socket = socket;
        boolean segments = socket.call(fd -> socket.system.segments(fd) ? 1 : 0) != 0;
        datagrams = DatagramArray.toSend(socket.memory, capacity, room, segments);
    }

    /**
     * Says whether segmentation offload may be used, as it is from the start. Without it each datagram is a packet of
     * its own to the queueing discipline, to packet filters and to {@code tcpdump} on this machine.
     *
     * @param wanted whether it may
     */
    public void useSegmentation(boolean wanted) {
        datagrams.join(wanted);
    }

    /**
     * Adds a datagram, typically an answer to where one came from.
     *
     * @param source the datagram; if it was added, it has been copied and its position is its limit
     * @param peer   the address to send to; copied too
     * @return whether it was added; false if the batch is full
     * @throws IllegalArgumentException if the address names no peer, or the datagram is longer than there is room for
     * @throws IllegalStateException    if this batch is closed
     */
    public boolean add(ByteBuffer source, PeerAddress peer) {
        if (!peer.isPresent()) {
            throw new IllegalArgumentException("the address names no peer");
        }
        return put(source, peer);
    }

    /**
     * Adds a datagram for the connected peer, as {@link #add(ByteBuffer, PeerAddress)} does.
     *
     * @throws IllegalArgumentException if the datagram is longer than there is room for
     * @throws IllegalStateException    if this batch is closed
     */
    public boolean add(ByteBuffer source) {
        return put(source, null);
    }

    /**
     * Adds a copy of a datagram that was received, as the answer to its sender.
     *
     * @param received the batch that has received it
     * @param index    which one of it
     * @return whether it was added; false if this batch is full
     * @throws IllegalArgumentException if it has no sender, or is longer than there is room for
     * @throws IllegalStateException    if this batch is closed
     */
    public boolean addReply(DatagramBatch received, int index) {
        received.sender(index, replyTo);
        return add(received.datagram(index), replyTo);
    }

    private boolean put(ByteBuffer source, @Nullable PeerAddress peer) {
        requireOpen();
        if (source.remaining() > datagrams.room()) {
            throw new IllegalArgumentException("datagram of " + source.remaining()
                    + " bytes exceeds the maximum of this batch, " + datagrams.room() + " bytes");
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

    /** {@return the number of datagrams that are left to be sent} */
    public int count() {
        return count;
    }

    /**
     * Sends what is left, in the order in which it was added, until all is sent or the socket's buffer takes no more:
     * then the next call need not be made until the socket is ready again. What has been sent is no longer in the
     * batch, however this call ends; {@link #count()} is exactly the number of those left.
     *
     * <p>On Linux, an error of an earlier datagram that occurs between two datagrams of the same call is lost: neither
     * this call nor the next one reports it (sendmmsg(2), "BUGS").
     *
     * @return the number of datagrams that this call has sent, each of them whole
     * @throws IllegalStateException if this batch is closed
     * @throws SystemCallException   if the first of those that are left cannot be sent, such as {@code EMSGSIZE},
     *                               {@code EDESTADDRREQ} without an address on a socket that is not connected, or
     *                               {@code ECONNREFUSED} for an earlier one, which does not happen again. It is still
     *                               the first: send again, or {@linkplain #skip skip} it
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
     * Sends what is left, as {@link #send()} does, and drops what cannot be sent now: what the socket's buffer does not
     * take, and each datagram that has an error of its own. The batch is empty then.
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

    /** {@return false if the first of those that are left has an error} */
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
        // Empty, it begins again where one call reaches all of it.
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
     * Gives up the first of the datagrams that are left, as after an error that it would meet again.
     *
     * @throws IllegalStateException if none is left
     */
    public void skip() {
        if (count == 0) {
            throw new IllegalStateException("no datagram is left");
        }
        remove(1);
    }

    /** Gives up all datagrams that are left. */
    public void clear() {
        remove(count);
    }

    /** Frees the memory, and discards the datagrams that are left. The socket stays open. */
    @Override
    public void close() {
        clear();
        datagrams.close();
    }
}
