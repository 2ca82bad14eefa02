package dev.sluice.demultiplexer;

import dev.sluice.handle.FileHandle;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SystemCallException;
import dev.sluice.system.OpenFlags;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Objects;

/**
 * An asynchronous operation, and the Asynchronous Completion Token that comes back with its completion. It is made once
 * by {@link AsynchronousEventDemultiplexer#newOperation} and started any number of times, one at a time; starting it
 * allocates nothing.
 *
 * <p>A method that starts it checks its arguments and returns at once. From then on the operation is in flight until
 * its last completion is collected, and exactly one last completion comes, whatever happens: success, failure or
 * cancellation, also when the handle or the demultiplexer is closed. Failures of the system never come from the
 * starting method. Until the completion the buffers belong to the operation: they are kept reachable, must not be
 * touched, and the memory of an {@code Arena} must not be freed. At the completion the positions of the buffers have
 * advanced by what was transferred, also if the operation failed half-way.
 *
 * <p>Operations of one direction on one handle are executed in the order they were started: receiving and accepting is
 * one direction, connecting, sending, transmitting and shutting down the other. Those on files have no order.
 *
 * <p>All methods may be called from any thread. Each starting method throws {@link IllegalStateException} if this
 * operation is in flight, if the demultiplexer is shut down, or if a buffer's memory has been freed or is confined to
 * one thread (the last cannot be told under JNA), and {@link IllegalArgumentException} if a buffer to receive into is
 * read-only or has no room, or a number is negative.
 */
public abstract class Operation {

    /** How many bits the numbers of {@link #ticket()} have. */
    public static final int TICKET_BITS = 39;

    // The lowest bits of the state; above them there is the ticket, so that nobody takes one start for another.
    private static final int FREE = 0;
    private static final int CLAIMED = 1;
    private static final int IN_FLIGHT = 2;
    private static final int STAGE_BITS = 2;
    private static final long STATES = 1L << TICKET_BITS + STAGE_BITS;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Operation.class, "state", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Object attachment;
    private volatile long state = FREE;

    private Object handler;
    private Object token;
    private OperationType type;
    private Association association;
    private ByteBuffer buffer;
    private ByteBuffer[] buffers;
    private int offset;
    private int count;
    private boolean whole;
    private boolean output;
    private long position;
    private long bytes;
    private int events;
    private long nanos;
    private long deadline;
    private long result;
    private PeerAddress peer;
    private Object subject;
    private OpenOption[] options;

    /**
     * For demultiplexers.
     *
     * @param attachment what leads from a completion to its handler, may be null
     */
    protected Operation(Object attachment) {
        this.attachment = attachment;
    }

    /** {@return what the operation was made with} */
    public final Object attachment() {
        return attachment;
    }

    /** {@return whether it has been started and its last completion has not been collected} */
    public final boolean isInFlight() {
        return stage(state) == IN_FLIGHT;
    }

    private static int stage(long state) {
        return (int) state & (1 << STAGE_BITS) - 1;
    }

    /**
     * {@return the number of the latest claim or start, which tells it from all others of this operation until there
     * have been 2<sup>{@value #TICKET_BITS}</sup> of them; what {@link #cancel(long)} takes}
     */
    public final long ticket() {
        return ticket(state);
    }

    private static long ticket(long state) {
        return state >> STAGE_BITS;
    }

    /**
     * Reserves this operation for the caller, who starts it next: for those who share a stock of operations with other
     * threads. If that start throws, it is free again.
     *
     * @param newHandler for {@link Completion#handler()}, may be null
     * @param newToken   for {@link Completion#token()}, may be null
     * @return the ticket of that start, or -1 if this operation is in flight or claimed
     */
    public final long claim(Object newHandler, Object newToken) {
        long seen = state;
        if (stage(seen) != FREE) {
            return -1;
        }
        long claimed = claimed(seen);
        if (!STATE.compareAndSet(this, seen, claimed)) {
            return -1;
        }
        handler = newHandler;
        token = newToken;
        return ticket(claimed);
    }

    private static long claimed(long free) {
        return free + (1 << STAGE_BITS) & STATES - 1 | CLAIMED;
    }

    /** {@return what it does or did last; null if it has never been started} */
    public final OperationType type() {
        return type;
    }

    /** {@return on which handle; null for the types that have none} */
    public final Association association() {
        return association;
    }

    // Connections

    /**
     * Accepts a connection. The result is 0, and the completion brings the stream.
     *
     * @param where    the acceptor's association
     * @param acceptor where connections come in
     */
    public final void accept(Association where, SocketAcceptor acceptor) {
        accept(OperationType.ACCEPT, where, acceptor);
    }

    /**
     * Accepts connections as {@link #accept} does, with a completion for each, until it is cancelled or one fails.
     *
     * @param where    the acceptor's association
     * @param acceptor where connections come in
     */
    public final void acceptContinuously(Association where, SocketAcceptor acceptor) {
        accept(OperationType.ACCEPT_CONTINUOUSLY, where, acceptor);
    }

    private void accept(OperationType how, Association where, SocketAcceptor acceptor) {
        claimOn(where, how);
        subject = acceptor;
        startClaimed();
    }

    /**
     * Connects a stream socket. The result is 0.
     *
     * @param where  the socket's association, unconnected
     * @param remote the peer's address, not to be changed until the completion
     */
    public final void connect(Association where, PeerAddress remote) {
        claimOn(where, OperationType.CONNECT);
        peer = remote;
        startClaimed();
    }

    /**
     * Closes a direction of a stream, after what has been started to be sent. The result is 0.
     *
     * @param where  the stream's association
     * @param output whether the sending half is closed, or else the receiving half
     */
    public final void shutdown(Association where, boolean output) {
        claimOn(where, OperationType.SHUTDOWN);
        this.output = output;
        startClaimed();
    }

    // Bytes of a stream

    /**
     * Receives what there is, at least a byte. The result is the number of bytes, 0 at the end of the stream.
     *
     * @param where       the stream's association
     * @param destination takes the bytes; direct, or else they are copied, 64 KiB at most
     */
    public final void receive(Association where, ByteBuffer destination) {
        claimOn(where, OperationType.RECEIVE);
        buffer = destination;
        startClaimed();
    }

    /**
     * Scatters what there is over several buffers, at least a byte. The result is as for a single buffer.
     *
     * @param where        the stream's association
     * @param destinations filled one after the other; the array belongs to the operation, too
     * @param first        the first buffer
     * @param number       the number of buffers; the first 16 with room are used
     */
    public final void receive(Association where, ByteBuffer[] destinations, int first, int number) {
        claimOn(where, OperationType.RECEIVE);
        setBuffers(destinations, first, number);
        startClaimed();
    }

    /**
     * Receives whatever comes into buffers of the demultiplexer's, with a completion for each, until the end of the
     * stream, a failure or its cancellation, which is the last one. The result is the number of bytes.
     *
     * @param where the stream's association
     */
    public final void receiveContinuously(Association where) {
        claimOn(where, OperationType.RECEIVE_CONTINUOUSLY);
        startClaimed();
    }

    /**
     * Sends bytes. The result is their number.
     *
     * @param where  the stream's association
     * @param source the bytes; direct, or else they are copied, 64 KiB at a time
     * @param all    whether it completes when all of them are sent, or else when some are
     */
    public final void send(Association where, ByteBuffer source, boolean all) {
        claimOn(where, OperationType.SEND);
        buffer = source;
        whole = all;
        startClaimed();
    }

    /**
     * Gathers the bytes of several buffers and sends them. The result is their number.
     *
     * @param where   the stream's association
     * @param sources sent one after the other; the array belongs to the operation, too
     * @param first   the first buffer
     * @param number  the number of buffers
     * @param all     whether it completes when all of them are sent, or else when some are
     */
    public final void send(Association where, ByteBuffer[] sources, int first, int number, boolean all) {
        claimOn(where, OperationType.SEND);
        setBuffers(sources, first, number);
        whole = all;
        startClaimed();
    }

    /**
     * Sends a part of a file without its bytes passing through the heap. The result is the number of bytes sent, fewer
     * than asked for only if the file ends before.
     *
     * @param where  the stream's association
     * @param file   the file, held open until the completion
     * @param from   where to begin, in bytes from its start
     * @param number how many bytes to send
     */
    public final void transmitFile(Association where, FileHandle file, long from, long number) {
        claimOn(where, OperationType.TRANSMIT_FILE);
        subject = file;
        position = from;
        bytes = number;
        startClaimed();
    }

    // Datagrams

    /**
     * Receives a datagram. The result is its full length, more than the buffer had room for if it was cut.
     *
     * @param where       the socket's association
     * @param destination takes the bytes that fit; direct, or else they are copied, 64 KiB at most
     * @param sender      is told where it came from, may be null
     */
    public final void receiveFrom(Association where, ByteBuffer destination, PeerAddress sender) {
        claimOn(where, OperationType.RECEIVE_FROM);
        buffer = destination;
        peer = sender;
        startClaimed();
    }

    /**
     * Sends a datagram. The result is its length.
     *
     * @param where  the socket's association
     * @param source the datagram; direct, or else copied and then 64 KiB at most
     * @param remote where to, not to be changed until the completion; null for the connected peer
     */
    public final void sendTo(Association where, ByteBuffer source, PeerAddress remote) {
        claimOn(where, OperationType.SEND_TO);
        buffer = source;
        peer = remote;
        startClaimed();
    }

    // Files

    /**
     * Opens a file. The result is 0, and the completion brings the file.
     *
     * @param path  the file
     * @param flags as for {@link FileHandle#open}
     * @throws UnsupportedOperationException if an option is one that {@link FileHandle#open} does not take
     */
    public final void open(Path path, OpenOption... flags) {
        claim(OperationType.OPEN, null);
        subject = path;
        options = flags;
        startClaimed();
    }

    /**
     * Reads at a position. The result is the number of bytes, 0 at or behind the end of the file.
     *
     * @param where       the file's association
     * @param destination takes the bytes; direct, or else they are copied, 64 KiB at most
     * @param from        in the file, in bytes
     */
    public final void read(Association where, ByteBuffer destination, long from) {
        claimOn(where, OperationType.READ);
        buffer = destination;
        position = from;
        startClaimed();
    }

    /**
     * Reads at a position into several buffers. The result is as for a single buffer.
     *
     * @param where        the file's association
     * @param destinations filled one after the other; the array belongs to the operation, too
     * @param first        the first buffer
     * @param number       the number of buffers; the first 16 with room are used
     * @param from         in the file, in bytes
     */
    public final void read(Association where, ByteBuffer[] destinations, int first, int number, long from) {
        claimOn(where, OperationType.READ);
        setBuffers(destinations, first, number);
        position = from;
        startClaimed();
    }

    /**
     * Writes all bytes at a position. The result is their number.
     *
     * @param where  the file's association
     * @param source the bytes; direct, or else they are copied
     * @param at     in the file, in bytes; without meaning if the file was opened to append
     */
    public final void write(Association where, ByteBuffer source, long at) {
        claimOn(where, OperationType.WRITE);
        buffer = source;
        position = at;
        whole = true;
        startClaimed();
    }

    /**
     * Writes all bytes of several buffers at a position. The result is their number.
     *
     * @param where   the file's association
     * @param sources written one after the other; the array belongs to the operation, too
     * @param first   the first buffer
     * @param number  the number of buffers
     * @param at      in the file, in bytes; without meaning if the file was opened to append
     */
    public final void write(Association where, ByteBuffer[] sources, int first, int number, long at) {
        claimOn(where, OperationType.WRITE);
        setBuffers(sources, first, number);
        position = at;
        whole = true;
        startClaimed();
    }

    /**
     * Brings everything written to the disk. The result is 0.
     *
     * @param where the file's association
     */
    public final void force(Association where) {
        claimOn(where, OperationType.FORCE);
        startClaimed();
    }

    // The rest

    /**
     * Waits until the handle is ready, without doing anything to it. The result is what it is ready for.
     *
     * @param where  the association of a socket or pipe
     * @param events bits of {@link EventType#IO}, at least one
     */
    public final void poll(Association where, int events) {
        claimOn(where, OperationType.POLL);
        this.events = events;
        startClaimed();
    }

    /**
     * Closes a handle: cancels everything else that is in flight on it, and closes the descriptor when that has
     * completed, without making the caller wait for the system. The result is 0. It cannot be cancelled, and also the
     * end of the demultiplexer does not keep it from closing the descriptor.
     *
     * @param where the handle's association
     */
    public final void close(Association where) {
        claimOn(where, OperationType.CLOSE);
        startClaimed();
    }

    /**
     * Completes after a time, with the result 0.
     *
     * @param nanos from now, in nanoseconds, at least 0
     */
    public final void timeout(long nanos) {
        claim(OperationType.TIMEOUT, null);
        this.nanos = nanos;
        // So that the time that passes until the loop thread sees it counts.
        deadline = System.nanoTime() + nanos;
        startClaimed();
    }

    /**
     * Completes at once, through the queue that the waiting threads take completions from.
     *
     * @param result handed through, at least 0
     */
    public final void post(long result) {
        claim(OperationType.POST, null);
        this.result = result;
        startClaimed();
    }

    /**
     * Asks for the cancellation of this operation. It still completes once, as cancelled if it could be stopped, as
     * anything else if not. Does nothing if it is not in flight.
     */
    public final void cancel() {
        cancel(ticket());
    }

    /**
     * Asks for the cancellation of one start of this operation, as {@link #cancel()} does. Does nothing if that has
     * completed, also if the operation is in flight again.
     *
     * @param ticket the {@link #ticket()} of the start
     */
    public abstract void cancel(long ticket);

    /**
     * Puts a negative result into words.
     *
     * @param result below 0, from the operation's completion, before it is started again
     * @return an exception that names the call, the error and the subject
     */
    public final SystemCallException error(long result) {
        return new SystemCallException(type.call(), subjectOfError(), result);
    }

    private String subjectOfError() {
        return subjectOfError(type, association, subject, peer);
    }

    static String subjectOfError(OperationType type, Association association, Object subject, PeerAddress peer) {
        if (association == null) {
            return String.valueOf(subject);
        }
        String on = association.toString();
        return switch (type) {
            case CONNECT, SEND_TO -> peer == null ? on : on + " to " + peer;
            case TRANSMIT_FILE -> subject + " to " + on;
            default -> on;
        };
    }

    // For completions

    final Object handler() {
        return handler;
    }

    final Object token() {
        return token;
    }

    final long filePosition() {
        return position;
    }

    // For demultiplexers: what has been asked for

    /** Starts what has been asked for; called by the starting thread, with the operation claimed. */
    protected abstract void start();

    /** For demultiplexers: the last completion has been collected, or there will be none. */
    protected final void finished() {
        handler = null;
        token = null;
        buffer = null;
        buffers = null;
        // Whoever claims it next has to see the above, and nothing here depends on what that one has written.
        STATE.setRelease(this, (state | CLAIMED | IN_FLIGHT) - (CLAIMED | IN_FLIGHT));
    }

    /** {@return the only buffer, null if there are several or none} */
    protected final ByteBuffer buffer() {
        return buffer;
    }

    /** {@return the buffers, null if there is one or none} */
    protected final ByteBuffer[] buffers() {
        return buffers;
    }

    /** {@return the index of the first of the {@link #buffers()}} */
    protected final int offset() {
        return offset;
    }

    /** {@return the number of {@link #buffers()}} */
    protected final int count() {
        return count;
    }

    /** {@return whether everything has to be sent or written} */
    protected final boolean isWhole() {
        return whole;
    }

    /** {@return whether a shutdown is of the sending half} */
    protected final boolean isOfOutput() {
        return output;
    }

    /** {@return the position in a file} */
    protected final long position() {
        return position;
    }

    /** {@return how many bytes are to be transmitted} */
    protected final long bytes() {
        return bytes;
    }

    /** {@return the events to poll for, bits of {@link EventType#IO}} */
    protected final int events() {
        return events;
    }

    /** {@return the end of a timeout on the scale of {@link System#nanoTime()}} */
    protected final long deadline() {
        return deadline;
    }

    /** {@return the result to post} */
    protected final long postedResult() {
        return result;
    }

    /** {@return the peer to connect or send to, or the sender to be told of; may be null} */
    protected final PeerAddress peer() {
        return peer;
    }

    /** {@return the {@link SocketAcceptor}, the {@link FileHandle} to transmit, or the {@link Path} to open} */
    protected final Object subject() {
        return subject;
    }

    /** {@return how to open the file} */
    protected final OpenOption[] options() {
        return options;
    }

    private void claimOn(Association where, OperationType newType) {
        claim(newType, Objects.requireNonNull(where, "association"));
    }

    private void claim(OperationType newType, Association where) {
        long seen = state;
        if (stage(seen) != CLAIMED
                && (stage(seen) != FREE || !STATE.compareAndSet(this, seen, claimed(seen)))) {
            throw new IllegalStateException("the operation is in flight: " + this);
        }
        type = newType;
        association = where;
        whole = false;
        position = 0;
        peer = null;
        subject = null;
    }

    private void startClaimed() {
        boolean started = false;
        try {
            type.check(this);
            STATE.setRelease(this, state ^ (CLAIMED | IN_FLIGHT));
            start();
            started = true;
        } finally {
            if (!started) {
                finished();
            }
        }
    }

    private void setBuffers(ByteBuffer[] all, int first, int number) {
        buffers = all;
        offset = first;
        count = number;
    }

    // What the types require of their arguments

    final void requireAcceptor() {
        Objects.requireNonNull(subject, "acceptor");
        if (association.handle() != ((SocketAcceptor) subject).handle()) {
            throw new IllegalArgumentException(association + " is not the association of " + subject);
        }
    }

    final void requirePeer() {
        if (!peer.isPresent()) {
            throw new IllegalArgumentException("the address names no peer");
        }
    }

    final void requireBuffers() {
        if (buffers == null) {
            Objects.requireNonNull(buffer, "buffer");
        } else {
            Objects.checkFromIndexSize(offset, count, buffers.length);
        }
    }

    final void requireDatagram() {
        requireBuffers();
        if (peer != null) {
            requirePeer();
        }
    }

    /** A receive without room could not be told from the end of the stream. */
    final void requireRoom() {
        requireBuffers();
        if (buffers == null) {
            requireWritable(buffer);
            if (!buffer.hasRemaining()) {
                throw new IllegalArgumentException("the buffer to receive into has no room");
            }
            return;
        }
        boolean room = false;
        for (int i = offset; i < offset + count; i++) {
            requireWritable(buffers[i]);
            room |= buffers[i].hasRemaining();
        }
        if (!room) {
            throw new IllegalArgumentException("the buffers to receive into have no room");
        }
    }

    private static void requireWritable(ByteBuffer destination) {
        if (destination.isReadOnly()) {
            throw new IllegalArgumentException("the buffer to receive into is read-only");
        }
    }

    final void requireFile() {
        Objects.requireNonNull(subject, "file");
        requireNotNegative(position, "position");
        requireNotNegative(bytes, "bytes");
    }

    final void requireRead() {
        requireRoom();
        requireNotNegative(position, "position");
    }

    final void requireWrite() {
        requireBuffers();
        requireNotNegative(position, "position");
    }

    final void requirePath() {
        Objects.requireNonNull(subject, "path");
        OpenFlags.of(options);
    }

    final void requireEvents() {
        if (EventType.requireIo(events) == 0) {
            throw new IllegalArgumentException("no events to wait for");
        }
    }

    final void requireTime() {
        requireNotNegative(nanos, "nanos");
    }

    final void requireResult() {
        requireNotNegative(result, "result");
    }

    private static void requireNotNegative(long number, String name) {
        if (number < 0) {
            throw new IllegalArgumentException(name + ": " + number);
        }
    }

    /** {@return the type and the subject} */
    @Override
    public final String toString() {
        return type == null ? "operation" : type + " " + subjectOfError();
    }
}
