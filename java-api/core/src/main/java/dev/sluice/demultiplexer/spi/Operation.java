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
 * An asynchronous operation, and the Asynchronous Completion Token that comes back with its completion. It is made once
 * by {@link AsynchronousEventDemultiplexer#newOperation} and started any number of times, one at a time; starting it
 * allocates nothing.
 *
 * <p>A method that starts it checks its arguments and returns at once. From then on the operation is in flight until
 * its last completion is collected, and exactly one last completion comes, whatever happens: success, failure or
 * cancellation, even when the handle or the demultiplexer is closed. The starting method never reports errors of the
 * system. Until the completion the buffers belong to the operation: they are kept reachable, and the program must not
 * access them. If it changes a position or a limit nevertheless, or starts two operations with one buffer, an operation
 * that has no space left, or finds fewer bytes than there were, fails with {@code EIO}, whose cause says so; no other
 * operation is affected. At the completion the positions of the buffers have advanced by what was transferred, even if
 * the operation failed half-way.
 *
 * <p>The system accesses the bytes of a direct buffer in place. Where it says below that those of other buffers are
 * copied, it is also true of direct buffers whose memory belongs to a shared {@code Arena} of the program (except for
 * the memory of this library, such as provided buffers and mapped files): such an arena can be closed while the
 * operation is in flight, and its memory be used for something else. Then the operation touches it no more, and fails
 * with {@code EIO} when it has to.
 *
 * <p>Operations of one direction on one handle are executed in the order they were started: receiving and accepting is
 * one direction, connecting, sending, transmitting and shutting down the other. Those on files have no order.
 *
 * <p>The peer of a stream never gets bytes in the place of others that it should have got before. If sending or
 * transmitting fails, is cancelled when some bytes have been sent, or is to send some of its bytes and does so, all
 * those fail that are started on this association before the completion is collected: with {@code EPIPE}, whose cause
 * says what has happened before. The same is true of shutting down the sending half. What is started afterwards is
 * sent, as the positions of the buffers show where to continue; but not after a failure, other than a cancellation,
 * that has left a part of the bytes unsent. A file that is shorter than what was to be transmitted is not a failure.
 *
 * <p>What works on a handle is started with the association of that handle.
 *
 * <p>All methods may be called from any thread. Each starting method throws {@link IllegalStateException} if this
 * operation is in flight, if the demultiplexer is shut down, or if a buffer's memory has been freed or is confined to
 * one thread, and {@link IllegalArgumentException} if the association belongs to another demultiplexer, a buffer to
 * receive into is read-only or has no room, or a number is negative.
 */
public interface Operation {

    /** Number of bits that the numbers of {@link #ticket()} have. */
    int TICKET_BITS = 39;

    /** {@return whether it has been started and its last completion has not been collected} */
    boolean isInFlight();

    /**
     * {@return the number of the latest claim or start, unique among those of this operation until there have been
     * 2<sup>{@value #TICKET_BITS}</sup> of them; what {@link #cancel(long)} takes}
     */
    long ticket();

    /**
     * Reserves this operation for the caller, who starts it next; for threads that share a pool of operations. If that
     * start throws, it is free again.
     *
     * @param newHandler for {@link Completion#handler()}, may be null
     * @param newToken   for {@link Completion#token()}, may be null
     * @return the ticket of that start, or -1 if this operation is in flight or claimed
     */
    long claim(Object newHandler, Object newToken);

    /** {@return what it is doing, or did last; null if it has never been started} */
    OperationType type();

    /** {@return the handle it works on; null for the types that have none} */
    Association association();

    // Several types that take the same arguments

    /**
     * As the method of each type says.
     *
     * @param type     {@link OperationType#RECEIVE}, {@link OperationType#SEND}, {@link OperationType#READ} or
     *                 {@link OperationType#WRITE}
     * @param buffer   the buffer to read from or write to
     * @param position in the file, in bytes; 0 on a stream
     * @param all      false to complete when some are moved
     */
    void transfer(OperationType type, Association where, ByteBuffer buffer, long position, boolean all);

    /**
     * As the method of each type says, with several buffers.
     *
     * @param type     as above
     * @param buffers  the buffers to read from or write to
     * @param first    the first buffer
     * @param number   the number of buffers
     * @param position in the file, in bytes; 0 on a stream
     * @param all      false to complete when some are moved
     */
    void transfer(OperationType type, Association where, ByteBuffer[] buffers, int first, int number, long position,
            boolean all);

    /**
     * As the method of each type says.
     *
     * @param type     {@link OperationType#ACCEPT} or {@link OperationType#ACCEPT_CONTINUOUSLY}
     * @param acceptor the acceptor of the connections
     */
    void accept(OperationType type, Association where, SocketAcceptor acceptor);

    /**
     * As the method of each type says.
     *
     * @param type one that takes no further arguments: {@link OperationType#RECEIVE_CONTINUOUSLY},
     *             {@link OperationType#FORCE}, {@link OperationType#FORCE_DATA} or {@link OperationType#CLOSE}
     */
    void start(OperationType type, Association where);

    // Connections

    /**
     * Accepts a connection. The result is 0, and the completion brings the stream.
     *
     * @param acceptor the acceptor of the connections
     */
    default void accept(Association where, SocketAcceptor acceptor) {
        accept(OperationType.ACCEPT, where, acceptor);
    }

    /**
     * Accepts connections as {@link #accept} does, with a completion for each, until it is cancelled or an accept
     * fails.
     *
     * @param acceptor the acceptor of the connections
     */
    default void acceptContinuously(Association where, SocketAcceptor acceptor) {
        accept(OperationType.ACCEPT_CONTINUOUSLY, where, acceptor);
    }

    /**
     * Connects a stream socket that is not connected. The result is 0.
     *
     * @param remote the peer's address, not to be changed until the completion
     */
    void connect(Association where, PeerAddress remote);

    /**
     * Closes one direction of a stream, once the sends started before it are done. The result is 0.
     *
     * @param output true to close the sending half, false to close the receiving half
     */
    void shutdown(Association where, boolean output);

    // Bytes of a stream

    /**
     * Receives what there is, at least one byte. The result is the number of bytes, 0 at the end of the stream.
     *
     * @param destination takes the bytes; if it is not direct, they are copied, 64 KiB at most
     */
    default void receive(Association where, ByteBuffer destination) {
        transfer(OperationType.RECEIVE, where, destination, 0, false);
    }

    /**
     * Scatters what there is over several buffers, at least one byte. The result is as for a single buffer.
     *
     * @param destinations filled one after the other; the array belongs to the operation, too
     * @param first        the first buffer
     * @param number       the number of buffers; the first 16 with room are used
     */
    default void receive(Association where, ByteBuffer[] destinations, int first, int number) {
        transfer(OperationType.RECEIVE, where, destinations, first, number, 0, false);
    }

    /**
     * Receives everything that arrives into buffers of the demultiplexer, with a completion for each, until the end of
     * the stream, a failure or its cancellation, which is the last completion. The result is the number of bytes.
     */
    default void receiveContinuously(Association where) {
        start(OperationType.RECEIVE_CONTINUOUSLY, where);
    }

    /**
     * Sends bytes. The result is their number.
     *
     * @param source the bytes; if it is not direct, they are copied, 64 KiB at a time
     * @param all    true to complete when all of them are sent, false to complete when some are
     */
    default void send(Association where, ByteBuffer source, boolean all) {
        transfer(OperationType.SEND, where, source, 0, all);
    }

    /**
     * Gathers the bytes of several buffers and sends them. The result is their number.
     *
     * @param sources sent one after the other; the array belongs to the operation, too
     * @param first   the first buffer
     * @param number  the number of buffers
     * @param all     true to complete when all of them are sent, false to complete when some are
     */
    default void send(Association where, ByteBuffer[] sources, int first, int number, boolean all) {
        transfer(OperationType.SEND, where, sources, first, number, 0, all);
    }

    /**
     * Sends a head, a part of a file without its bytes passing through the heap, and a tail, as one operation, with
     * nothing in between. The result is the number of bytes sent, of all three together; the positions of head and tail
     * show their share of it. If the file ends sooner than asked for, the operation succeeds without the tail.
     *
     * <p>The head leaves together with the beginning of the file, instead of as a packet of its own:
     * <ul>
     * <li>On Windows, one {@code TransmitFile} takes all three ({@code TRANSMIT_FILE_BUFFERS}), as long as they have no
     *     more than 2<sup>31</sup> - 2 bytes together. The tail is left to the system if it finds the file long enough
     *     at the start of the call; if the file is truncated during the call, Windows decides whether the tail is sent.
     * <li>On io_uring, what has 64 KiB or less in the file is sent by one {@code sendmsg}. The head of a longer one is
     *     sent by a request that announces more ({@code MSG_MORE}), and its last piece goes out with the tail
     *     ({@code SPLICE_F_MORE}).
     * <li>On Linux otherwise, the head is sent with {@code MSG_MORE}, and joined with what {@code sendfile} sends. If
     *     it turns out that the file has nothing there, the last of the head goes out after 200 ms. The tail is sent
     *     on its own, because {@code sendfile} has no way to announce it.
     * <li>On FreeBSD, one {@code sendfile} takes the head and the file ({@code sf_hdtr}). It would send the tail even
     *     after a file that ends too soon, so that is sent on its own.
     * <li>On macOS, all three are sent on their own: its {@code sendfile} takes a head, but does not join it.
     * </ul>
     *
     * @param file   the file, held open until the completion
     * @param from   the position of the first byte in the file
     * @param number the number of bytes of the file to send
     * @param head   sent before them; null for nothing. If it is not direct, it is copied at once.
     * @param tail   sent after them; null for nothing. If it is not direct, it is copied at once.
     * @throws IllegalArgumentException if head and tail are the same object
     */
    void transmitFile(Association where, FileHandle file, long from, long number, ByteBuffer head, ByteBuffer tail);

    // Datagrams

    /**
     * Receives a datagram. The result is its full length, more than the buffer had room for if it was cut.
     *
     * @param destination takes the bytes that fit; if it is not direct, they are copied, 64 KiB at most
     * @param sender      set to the address it came from; may be null
     */
    void receiveFrom(Association where, ByteBuffer destination, PeerAddress sender);

    /**
     * Sends a datagram. The result is its length.
     *
     * @param source the datagram; if it is not direct, it is copied and may have 64 KiB at most
     * @param remote the address to send to, not to be changed until the completion; null for the connected peer
     */
    void sendTo(Association where, ByteBuffer source, PeerAddress remote);

    // Files

    /**
     * Opens a file. The result is 0, and the completion brings the file. Once it is cancelled it completes, even if
     * the system is still opening the file: a file that is opened afterwards is closed again, but may have been created
     * or truncated.
     *
     * <p>To open a FIFO is to wait for its other end, except on io_uring, unless the file may have to be created or
     * truncated: without a writer it is open for reading at once, and without a reader opening it for writing fails
     * with {@code ENXIO}.
     *
     * @param path       the file
     * @param options    as for {@link FileHandle#open(Path, java.util.Set, FileAttribute[])}
     * @param attributes as for {@link FileHandle#open(Path, java.util.Set, FileAttribute[])}
     * @throws UnsupportedOperationException if an option or attribute is one that {@link FileHandle} does not take
     * @throws IllegalArgumentException      if two options exclude each other, or one lacks what it needs
     * @throws java.nio.file.ProviderMismatchException if the path is in another file system, such as a zip file
     */
    void open(Path path, OpenOption[] options, FileAttribute<?>[] attributes);

    /** As {@link #open(Path, OpenOption[], FileAttribute[])}, with the usual permissions. */
    default void open(Path path, OpenOption... options) {
        open(path, options, new FileAttribute<?>[0]);
    }

    /**
     * Reads at a position. The result is the number of bytes, 0 at or past the end of the file.
     *
     * @param destination takes the bytes; if it is not direct, they are copied, 64 KiB at most
     * @param from        in the file, in bytes
     */
    default void read(Association where, ByteBuffer destination, long from) {
        transfer(OperationType.READ, where, destination, from, false);
    }

    /**
     * Reads at a position into several buffers. The result is as for a single buffer.
     *
     * @param destinations filled one after the other; the array belongs to the operation, too
     * @param first        the first buffer
     * @param number       the number of buffers; the first 16 with room are used
     * @param from         in the file, in bytes
     */
    default void read(Association where, ByteBuffer[] destinations, int first, int number, long from) {
        transfer(OperationType.READ, where, destinations, first, number, from, false);
    }

    /**
     * Writes all bytes at a position. The result is their number.
     *
     * @param source the bytes; if it is not direct, they are copied
     * @param at     in the file, in bytes; ignored if the file was opened to append
     */
    default void write(Association where, ByteBuffer source, long at) {
        transfer(OperationType.WRITE, where, source, at, true);
    }

    /**
     * Writes all bytes of several buffers at a position. The result is their number.
     *
     * @param sources written one after the other; the array belongs to the operation, too
     * @param first   the first buffer
     * @param number  the number of buffers
     * @param at      in the file, in bytes; ignored if the file was opened to append
     */
    default void write(Association where, ByteBuffer[] sources, int first, int number, long at) {
        transfer(OperationType.WRITE, where, sources, first, number, at, true);
    }

    /** Brings everything written to the disk. The result is 0. */
    default void force(Association where) {
        start(OperationType.FORCE, where);
    }

    /**
     * Brings everything written to the disk, and of the file's status what is needed to read that again. The result
     * is 0.
     */
    default void forceData(Association where) {
        start(OperationType.FORCE_DATA, where);
    }

    // The rest

    /**
     * Waits until a socket or pipe is ready, without doing anything to it. The result is what it is ready for.
     *
     * @param events bits of {@link EventType#IO}, at least one
     */
    void poll(Association where, int events);

    /**
     * Closes a handle: cancels everything else that is in flight on it, and closes the descriptor when that has
     * completed, without making the caller wait for the system. The result is 0. It cannot be cancelled, and even if
     * the demultiplexer is closed, it still closes the descriptor. If the handle was closed before, it completes as
     * cancelled.
     */
    default void close(Association where) {
        start(OperationType.CLOSE, where);
    }

    /**
     * Completes after a time, with the result 0.
     *
     * @param nanos from now, in nanoseconds, at least 0
     */
    void timeout(long nanos);

    /**
     * Completes at once, through the queue from which the waiting threads take completions.
     *
     * @param result the result of the completion, at least 0
     */
    void post(long result);

    /**
     * Asks for the cancellation of this operation. It still completes once, as cancelled if it could be stopped,
     * otherwise with its own result. Does nothing if it is not in flight.
     */
    void cancel();

    /**
     * Asks for the cancellation of one start of this operation, as {@link #cancel()} does. Does nothing if that start
     * has completed, even if the operation is in flight again.
     *
     * @param ticket the {@link #ticket()} of the start
     */
    void cancel(long ticket);

    /**
     * Puts a negative result into words.
     *
     * @param result below 0, from the operation's completion, before it is started again
     * @return an exception that names the call, the error and the subject
     */
    SystemCallException error(long result);
}
