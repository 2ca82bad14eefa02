package dev.sluice.demultiplexer.spi;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SystemCallException;
import java.nio.ByteBuffer;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;

/**
 * An asynchronous operation, and the Asynchronous Completion Token that is returned with its completion. It is created
 * by {@link AsynchronousEventDemultiplexer#newOperation} and started any number of times, but only when it is not in
 * flight; starting it allocates nothing.
 *
 * <p>A method that starts it checks its arguments and returns immediately. From then on the operation is in flight
 * until its last completion is collected. There is exactly one last completion in all cases: success, failure or
 * cancellation, even when the handle or the demultiplexer is closed. The starting method never reports errors of the
 * system. Until the completion the buffers belong to the operation: they are kept reachable, and the program must not
 * access them. If the program changes a position or a limit nevertheless, or starts two operations with one buffer, an
 * operation that has no space left, or finds fewer bytes than before, fails with {@code EIO} and a cause that explains
 * it; no other operation is affected. At the completion the positions of the buffers have advanced by the number of
 * bytes transferred, even if the operation failed partway.
 *
 * <p>The system accesses the bytes of a direct buffer in place. The methods below that copy other buffers also copy
 * direct buffers whose memory belongs to a shared {@code Arena} of the program (except for memory of this library, such
 * as provided buffers and mapped files), because such an arena can be closed while the operation is in flight. After
 * that, the operation does not access the memory any more, and fails with {@code EIO} if it would have to.
 *
 * <p>Operations of one direction on one handle are executed in the order they were started: receiving and accepting is
 * one direction, connecting, sending, transmitting and shutting down the other. Operations on files are not ordered,
 * except that the writes to a file that was opened for appending are executed in the order they were started.
 *
 * <p>The bytes of a stream never have gaps. If an operation that sends or transmits fails, is cancelled after some
 * bytes have been sent, or completes after some of its bytes, then all those that are started on this association
 * before its completion is collected fail with {@code EPIPE}, and a cause that names the earlier event. The same
 * applies to shutting down the sending half. Operations that are started afterwards are executed, because the positions
 * of the buffers show where to continue; but not after a failure, other than a cancellation, that has left a part of
 * the bytes unsent. A file that is shorter than the part to be transmitted is not a failure.
 *
 * <p>Operations on a handle are started with the association of that handle.
 *
 * <p>All methods may be called from any thread. Each starting method throws {@link IllegalStateException} if this
 * operation is in flight, if the demultiplexer is shut down, or if a buffer's memory has been freed or is confined to
 * one thread, and {@link IllegalArgumentException} if the association belongs to another demultiplexer, a buffer to
 * receive into is read-only or has no space remaining, or a number is negative.
 */
public interface Operation extends FileOperation {

    /** Number of bits of a {@link #ticket()}. */
    int TICKET_BITS = 39;

    /** {@return whether it has been started and its last completion has not been collected} */
    boolean isInFlight();

    /**
     * {@return the number of the latest claim or start, for {@link #cancel(long)}; unique for this operation until
     * there have been 2<sup>{@value #TICKET_BITS}</sup> of them}
     */
    long ticket();

    /**
     * Reserves this operation for the caller, which starts it next; for threads that share a pool of operations. If
     * that start throws, the reservation ends.
     *
     * @param newHandler the {@link Completion#handler()}, may be null
     * @param newToken   the {@link Completion#token()}, may be null
     * @return the ticket of that start, or -1 if this operation is in flight or claimed
     */
    long claim(Object newHandler, Object newToken);

    /** {@return its current or latest type; null if it has never been started} */
    OperationType type();

    /** {@return the association with the handle of its latest start; null for types without a handle} */
    Association association();

    // Methods for several types with the same arguments

    /**
     * Starts an operation of the given type, as the method of that type does.
     *
     * @param type     {@link OperationType#RECEIVE}, {@link OperationType#SEND}, {@link OperationType#READ},
     *                 {@link OperationType#WRITE} or {@link OperationType#WRITE_AND_FORCE_DATA}
     * @param buffer   the buffer to read from or write to
     * @param position the position in the file, in bytes; 0 on a stream
     * @param fully    false to complete when some bytes have been transferred
     */
    void transfer(OperationType type, Association association, ByteBuffer buffer, long position, boolean fully);

    /**
     * Starts an operation of the given type with several buffers.
     *
     * @param type     as above
     * @param buffers  the buffers to read from or write to
     * @param first    the index of the first buffer
     * @param number   the number of buffers
     * @param position the position in the file, in bytes; 0 on a stream
     * @param fully    false to complete when some bytes have been transferred
     */
    void transfer(OperationType type, Association association, ByteBuffer[] buffers, int first, int number,
            long position, boolean fully);

    /**
     * Starts an operation of the given type, as the method of that type does.
     *
     * @param type     {@link OperationType#ACCEPT} or {@link OperationType#ACCEPT_CONTINUOUSLY}
     * @param acceptor the acceptor of the connections
     */
    void accept(OperationType type, Association association, SocketAcceptor acceptor);

    /**
     * Starts an operation of the given type, as the method of that type does.
     *
     * @param type a type without further arguments: {@link OperationType#RECEIVE_CONTINUOUSLY},
     *             {@link OperationType#FORCE}, {@link OperationType#FORCE_DATA} or {@link OperationType#CLOSE}
     */
    void start(OperationType type, Association association);

    // Connections

    /**
     * Accepts a connection. The result is 0, and the completion has the stream.
     *
     * @param acceptor the acceptor of the connections
     */
    default void accept(Association association, SocketAcceptor acceptor) {
        accept(OperationType.ACCEPT, association, acceptor);
    }

    /**
     * Accepts connections as {@link #accept} does, with a completion for each, until it is cancelled or an accept
     * fails.
     *
     * @param acceptor the acceptor of the connections
     */
    default void acceptContinuously(Association association, SocketAcceptor acceptor) {
        accept(OperationType.ACCEPT_CONTINUOUSLY, association, acceptor);
    }

    /**
     * Connects a stream socket that is not connected. The result is 0.
     *
     * @param remote the peer's address; must not be changed until the completion
     */
    void connect(Association association, PeerAddress remote);

    /**
     * Shuts down one direction of a stream, after the sends started before it. The result is 0.
     *
     * @param output true to shut down the sending half, false to shut down the receiving half
     */
    void shutdown(Association association, boolean output);

    // Bytes of a stream

    /**
     * Receives the available bytes, at least one. The result is the number of bytes, 0 at the end of the stream.
     *
     * @param destination takes the bytes; if it is not direct, they are copied, 64 KiB at most
     */
    default void receive(Association association, ByteBuffer destination) {
        transfer(OperationType.RECEIVE, association, destination, 0, false);
    }

    /**
     * Scatters the available bytes, at least one, over several buffers. The result is as for a single buffer.
     *
     * @param destinations the buffers, filled in order; the array belongs to the operation, too
     * @param first        the index of the first buffer
     * @param number       the number of buffers; the first 16 with space remaining are used
     */
    default void receive(Association association, ByteBuffer[] destinations, int first, int number) {
        transfer(OperationType.RECEIVE, association, destinations, first, number, 0, false);
    }

    /**
     * Receives all arriving bytes into buffers of the demultiplexer, with a completion for each buffer. The last
     * completion is the end of the stream, a failure or a cancellation. The result is the number of bytes.
     */
    default void receiveContinuously(Association association) {
        start(OperationType.RECEIVE_CONTINUOUSLY, association);
    }

    /**
     * Sends bytes. The result is their number.
     *
     * @param source the bytes; if it is not direct, they are copied, 64 KiB at a time
     * @param fully  true to complete when all bytes have been sent, false to complete when some have
     */
    default void send(Association association, ByteBuffer source, boolean fully) {
        transfer(OperationType.SEND, association, source, 0, fully);
    }

    /**
     * Gathers the bytes of several buffers and sends them. The result is their number.
     *
     * @param sources the buffers, sent in order; the array belongs to the operation, too
     * @param first   the index of the first buffer
     * @param number  the number of buffers
     * @param fully   true to complete when all bytes have been sent, false to complete when some have
     */
    default void send(Association association, ByteBuffer[] sources, int first, int number, boolean fully) {
        transfer(OperationType.SEND, association, sources, first, number, 0, fully);
    }

    /**
     * Sends a header, a part of a file without copying it through the heap, and a trailer, as one operation, with
     * nothing in between. The result is the total number of bytes sent; the positions of header and trailer show their
     * share of it. If the file ends before the end of the part, the operation succeeds without the trailer.
     *
     * <p>The header is sent together with the beginning of the file, instead of in a separate packet:
     * <ul>
     * <li>On Windows, one {@code TransmitFile} takes all three ({@code TRANSMIT_FILE_BUFFERS}), if they have at most
     * 2<sup>31</sup> - 2 bytes together. The trailer is passed to the call if the file is long enough at its start; if
     * the file is truncated during the call, Windows decides whether the trailer is sent.
     * <li>On io_uring, a part of at most 64 KiB is sent by one {@code sendmsg}. For a longer part, the header is sent
     * with {@code MSG_MORE}. The loop thread sends what the system's cache has by {@code sendfile}, except for the last
     * piece before a trailer. The kernel splices the rest, whose end is sent with the trailer ({@code SPLICE_F_MORE}).
     * <li>On Linux otherwise, the header is sent with {@code MSG_MORE}, and combined with the bytes that
     * {@code sendfile} sends. If the file has no bytes there, the end of the header is sent after 200 ms. The trailer
     * is sent separately, because {@code sendfile} cannot announce it.
     * <li>On FreeBSD, one {@code sendfile} takes the header and the file ({@code sf_hdtr}). It would send the trailer
     * even after a file that ends too soon, so the trailer is sent separately.
     * <li>On macOS, all three are sent separately, because its {@code sendfile} does not combine a header with the
     * file.
     * </ul>
     *
     * @param file     the file, held open until the completion
     * @param position the position of the first byte in the file
     * @param number   the number of bytes of the file to send
     * @param head     the header; null for none. If it is not direct, it is copied immediately.
     * @param tail     the trailer; null for none. If it is not direct, it is copied immediately.
     * @throws IllegalArgumentException if header and trailer are the same object
     */
    void transmitFile(Association association, FileHandle file, long position, long number, ByteBuffer head,
            ByteBuffer tail);

    // Datagrams

    /**
     * Receives a datagram. The result is its full length, more than the buffer had remaining if it was truncated.
     *
     * @param destination takes the bytes that fit; if it is not direct, they are copied, 64 KiB at most
     * @param sender      set to the address it came from; may be null
     */
    void receiveFrom(Association association, ByteBuffer destination, PeerAddress sender);

    /**
     * Sends a datagram. The result is its length.
     *
     * @param source the datagram; if it is not direct, it is copied and may have 64 KiB at most
     * @param remote the address to send to, which must not be changed until the completion; null for the connected peer
     */
    void sendTo(Association association, ByteBuffer source, PeerAddress remote);

    // Files

    /**
     * Opens a file. The result is 0, and the completion has the file. A cancellation completes it even if the system is
     * still opening the file: a file that is opened afterwards is closed again, but may have been created or truncated.
     *
     * <p>Opening a FIFO waits for its other end, but not on io_uring unless the options create or truncate the file:
     * there, a FIFO without a writer is opened for reading immediately, and opening one without a reader for writing
     * fails with {@code ENXIO}.
     *
     * @param path       the file
     * @param options    the options, as for {@link FileHandle#open(Path, java.util.Set, FileAttribute[])}
     * @param attributes the attributes, as for {@link FileHandle#open(Path, java.util.Set, FileAttribute[])}
     * @throws UnsupportedOperationException if {@link FileHandle} does not support an option or attribute
     * @throws IllegalArgumentException      if two options exclude each other, or one lacks an option that it requires
     * @throws java.nio.file.ProviderMismatchException if the path is in another file system, such as a zip file
     */
    void open(Path path, OpenOption[] options, FileAttribute<?>[] attributes);

    /** As {@link #open(Path, OpenOption[], FileAttribute[])}, with the default permissions. */
    default void open(Path path, OpenOption... options) {
        open(path, options, new FileAttribute<?>[0]);
    }

    /**
     * Reads at a position. The result is the number of bytes, 0 at or past the end of the file.
     *
     * @param destination takes the bytes; if it is not direct, they are copied, 64 KiB at most
     * @param position    the position in the file, in bytes
     */
    default void read(Association association, ByteBuffer destination, long position) {
        transfer(OperationType.READ, association, destination, position, false);
    }

    /**
     * Reads at a position into several buffers. The result is as for a single buffer.
     *
     * @param destinations the buffers, filled in order; the array belongs to the operation, too
     * @param first        the index of the first buffer
     * @param number       the number of buffers; the first 16 with space remaining are used
     * @param position     the position in the file, in bytes
     */
    default void read(Association association, ByteBuffer[] destinations, int first, int number, long position) {
        transfer(OperationType.READ, association, destinations, first, number, position, false);
    }

    /**
     * Writes all bytes at a position. The result is their number.
     *
     * @param source   the bytes; if it is not direct, they are copied
     * @param position the position in the file, in bytes; ignored if the file was opened for appending
     */
    default void write(Association association, ByteBuffer source, long position) {
        transfer(OperationType.WRITE, association, source, position, true);
    }

    /**
     * Writes all bytes of several buffers at a position. The result is their number.
     *
     * @param sources  the buffers, written in order; the array belongs to the operation, too
     * @param first    the index of the first buffer
     * @param number   the number of buffers
     * @param position the position in the file, in bytes; ignored if the file was opened for appending
     */
    default void write(Association association, ByteBuffer[] sources, int first, int number, long position) {
        transfer(OperationType.WRITE, association, sources, first, number, position, true);
    }

    /** Writes the file's content and metadata to the disk. The result is 0. */
    default void force(Association association) {
        start(OperationType.FORCE, association);
    }

    /** Writes the file's content to the disk, and the metadata that is needed to read it. The result is 0. */
    default void forceData(Association association) {
        start(OperationType.FORCE_DATA, association);
    }

    /**
     * Writes all bytes as {@link #write} does, and then the file's content to the disk as {@link #forceData} does. The
     * result is the number of bytes, all of which are on the disk then; after a failure or a cancellation none of them
     * may be.
     */
    default void writeAndForceData(Association association, ByteBuffer source, long position) {
        transfer(OperationType.WRITE_AND_FORCE_DATA, association, source, position, true);
    }

    // Other operations

    /**
     * Waits until a socket or pipe is ready. The result is the events that it is ready for.
     *
     * @param events bits of {@link EventType#IO}, at least one
     */
    void poll(Association association, int events);

    /**
     * Closes a handle: cancels all other operations in flight on it, and closes the descriptor when they have
     * completed, without blocking the caller. The result is 0. It cannot be cancelled, and it closes the descriptor
     * even if the demultiplexer is closed. If the handle was already closed, it completes as cancelled.
     */
    default void close(Association association) {
        start(OperationType.CLOSE, association);
    }

    /**
     * Completes after a time, with the result 0.
     *
     * @param nanos the time in nanoseconds, at least 0
     */
    void timeout(long nanos);

    /**
     * Completes immediately, through the queue from which waiting threads take completions.
     *
     * @param result the result of the completion, at least 0
     */
    void post(long result);

    /**
     * Requests the cancellation of this operation. It still completes once, as cancelled if it could be stopped,
     * otherwise with its own result. Does nothing if it is not in flight.
     */
    void cancel();

    /**
     * Requests the cancellation of one start of this operation, as {@link #cancel()} does. Does nothing if that start
     * has completed, even if the operation is in flight again.
     *
     * @param ticket the {@link #ticket()} of the start
     */
    void cancel(long ticket);

    /**
     * Creates an exception for a negative result. Must be called before the operation is started again.
     *
     * @param result the negative result of the operation's completion
     * @return an exception that names the call, the error and the subject
     */
    SystemCallException error(long result);
}
