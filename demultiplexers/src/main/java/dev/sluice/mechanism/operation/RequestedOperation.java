package dev.sluice.mechanism.operation;

import dev.sluice.deadline.Timeout;
import dev.sluice.demultiplexer.Association;
import dev.sluice.demultiplexer.Operation;
import dev.sluice.demultiplexer.OperationType;
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
 * What an operation has been asked for, and by whom: each start claims it, sets its type and arguments, has its
 * {@link Kind} check them, and only then is the operation in flight. Open to any thread until then; what was asked for
 * does not change until the last completion has been collected.
 */
abstract class RequestedOperation implements Operation {

    // The lowest bits of the state; above them is the ticket, so that one start cannot be mistaken for another.
    private static final int FREE = 0;
    private static final int CLAIMED = 1;
    private static final int IN_FLIGHT = 2;
    private static final int STAGE_BITS = 2;
    private static final long STATES = 1L << TICKET_BITS + STAGE_BITS;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(RequestedOperation.class, "state", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile long state = FREE;

    private Object handler;
    private Object token;
    private OperationType type;
    private Kind kind;
    private HandleAssociation association;
    private ByteBuffer buffer;
    private ByteBuffer[] buffers;
    private ByteBuffer head;
    private ByteBuffer tail;
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

    /** Refuses arguments that an operation of this kind cannot be started with. Called by the starting thread. */
    abstract void check();

    /** Starts what has been asked for. Called by the starting thread. */
    abstract void start();

    // Claim and ticket

    @Override
    public final boolean isInFlight() {
        return stage(state) == IN_FLIGHT;
    }

    /** {@return whether the start with this ticket is in flight, by one look} */
    final boolean isInFlight(long ticket) {
        long seen = state;
        return stage(seen) == IN_FLIGHT && ticket(seen) == ticket;
    }

    private static int stage(long state) {
        return (int) state & (1 << STAGE_BITS) - 1;
    }

    @Override
    public final long ticket() {
        return ticket(state);
    }

    private static long ticket(long state) {
        return state >> STAGE_BITS;
    }

    @Override
    public final long claim(Object newHandler, Object newToken) {
        long seen = state;
        if (stage(seen) != FREE) {
            return -1;
        }
        long claimed = claimed(seen);
        long number = ticket(claimed);
        if (!STATE.compareAndSet(this, seen, claimed)) {
            return -1;
        }
        // From here on without a call, for which there might be no stack.
        handler = newHandler;
        token = newToken;
        return number;
    }

    private static long claimed(long free) {
        return free + (1 << STAGE_BITS) & STATES - 1 | CLAIMED;
    }

    private void claimOn(Association where, OperationType newType) {
        claim(newType);
        if (where instanceof HandleAssociation ours) {
            association = ours;
        } else {
            finished();
            Objects.requireNonNull(where, "association");
            throw new IllegalArgumentException("the association is of another demultiplexer: " + where);
        }
    }

    private void claim(OperationType newType) {
        long seen = state;
        if (stage(seen) != CLAIMED
                && (stage(seen) != FREE || !STATE.compareAndSet(this, seen, claimed(seen)))) {
            throw new IllegalStateException("the operation is in flight: " + this);
        }
        type = newType;
        kind = Kind.of(newType);
        association = null;
        whole = false;
        position = 0;
        peer = null;
        subject = null;
    }

    private void startClaimed() {
        boolean started = false;
        try {
            check();
            STATE.setRelease(this, state ^ (CLAIMED | IN_FLIGHT));
            start();
            started = true;
        } finally {
            if (!started) {
                finished();
            }
        }
    }

    /** The last completion has been collected, or there will be none. */
    final void finished() {
        handler = null;
        token = null;
        buffer = null;
        buffers = null;
        head = null;
        tail = null;
        // The thread that claims it next must see the above, and nothing here depends on what that thread writes.
        STATE.setRelease(this, (state | CLAIMED | IN_FLIGHT) - (CLAIMED | IN_FLIGHT));
    }

    @Override
    public final void cancel() {
        cancel(ticket());
    }

    // The ways to start it

    @Override
    public final void accept(Association where, SocketAcceptor acceptor) {
        accept(OperationType.ACCEPT, where, acceptor);
    }

    @Override
    public final void acceptContinuously(Association where, SocketAcceptor acceptor) {
        accept(OperationType.ACCEPT_CONTINUOUSLY, where, acceptor);
    }

    private void accept(OperationType how, Association where, SocketAcceptor acceptor) {
        claimOn(where, how);
        subject = acceptor;
        startClaimed();
    }

    @Override
    public final void connect(Association where, PeerAddress remote) {
        claimOn(where, OperationType.CONNECT);
        peer = remote;
        startClaimed();
    }

    @Override
    public final void shutdown(Association where, boolean ofOutput) {
        claimOn(where, OperationType.SHUTDOWN);
        output = ofOutput;
        startClaimed();
    }

    @Override
    public final void receive(Association where, ByteBuffer destination) {
        claimOn(where, OperationType.RECEIVE);
        buffer = destination;
        startClaimed();
    }

    @Override
    public final void receive(Association where, ByteBuffer[] destinations, int first, int number) {
        claimOn(where, OperationType.RECEIVE);
        setBuffers(destinations, first, number);
        startClaimed();
    }

    @Override
    public final void receiveContinuously(Association where) {
        claimOn(where, OperationType.RECEIVE_CONTINUOUSLY);
        startClaimed();
    }

    @Override
    public final void send(Association where, ByteBuffer source, boolean all) {
        claimOn(where, OperationType.SEND);
        buffer = source;
        whole = all;
        startClaimed();
    }

    @Override
    public final void send(Association where, ByteBuffer[] sources, int first, int number, boolean all) {
        claimOn(where, OperationType.SEND);
        setBuffers(sources, first, number);
        whole = all;
        startClaimed();
    }

    @Override
    public final void transmitFile(Association where, FileHandle file, long from, long number) {
        transmitFile(where, file, from, number, null, null);
    }

    @Override
    public final void transmitFile(Association where, FileHandle file, long from, long number, ByteBuffer newHead,
            ByteBuffer newTail) {
        claimOn(where, OperationType.TRANSMIT_FILE);
        head = newHead;
        tail = newTail;
        subject = file;
        position = from;
        bytes = number;
        startClaimed();
    }

    @Override
    public final void receiveFrom(Association where, ByteBuffer destination, PeerAddress sender) {
        claimOn(where, OperationType.RECEIVE_FROM);
        buffer = destination;
        peer = sender;
        startClaimed();
    }

    @Override
    public final void sendTo(Association where, ByteBuffer source, PeerAddress remote) {
        claimOn(where, OperationType.SEND_TO);
        buffer = source;
        peer = remote;
        startClaimed();
    }

    @Override
    public final void open(Path path, OpenOption... flags) {
        claim(OperationType.OPEN);
        subject = path;
        options = flags;
        startClaimed();
    }

    @Override
    public final void read(Association where, ByteBuffer destination, long from) {
        claimOn(where, OperationType.READ);
        buffer = destination;
        position = from;
        startClaimed();
    }

    @Override
    public final void read(Association where, ByteBuffer[] destinations, int first, int number, long from) {
        claimOn(where, OperationType.READ);
        setBuffers(destinations, first, number);
        position = from;
        startClaimed();
    }

    @Override
    public final void write(Association where, ByteBuffer source, long at) {
        claimOn(where, OperationType.WRITE);
        buffer = source;
        position = at;
        whole = true;
        startClaimed();
    }

    @Override
    public final void write(Association where, ByteBuffer[] sources, int first, int number, long at) {
        claimOn(where, OperationType.WRITE);
        setBuffers(sources, first, number);
        position = at;
        whole = true;
        startClaimed();
    }

    @Override
    public final void force(Association where) {
        claimOn(where, OperationType.FORCE);
        startClaimed();
    }

    @Override
    public final void poll(Association where, int newEvents) {
        claimOn(where, OperationType.POLL);
        events = newEvents;
        startClaimed();
    }

    @Override
    public final void close(Association where) {
        claimOn(where, OperationType.CLOSE);
        startClaimed();
    }

    @Override
    public final void timeout(long newNanos) {
        claim(OperationType.TIMEOUT);
        nanos = newNanos;
        // Set here so that the time until the loop thread sees it counts.
        deadline = System.nanoTime() + Math.min(newNanos, Timeout.LONGEST);
        startClaimed();
    }

    @Override
    public final void post(long newResult) {
        claim(OperationType.POST);
        result = newResult;
        startClaimed();
    }

    private void setBuffers(ByteBuffer[] all, int first, int number) {
        buffers = all;
        offset = first;
        count = number;
    }

    // What it was started with

    @Override
    public final OperationType type() {
        return type;
    }

    final Kind kind() {
        return kind;
    }

    final Object handler() {
        return handler;
    }

    final Object token() {
        return token;
    }

    @Override
    public final HandleAssociation association() {
        return association;
    }

    /** {@return the only buffer, null if there are several or none} */
    final ByteBuffer buffer() {
        return buffer;
    }

    /** {@return the buffers, null if there is one or none} */
    final ByteBuffer[] buffers() {
        return buffers;
    }

    /** {@return the index of the first of the {@link #buffers()}} */
    final int offset() {
        return offset;
    }

    /** {@return the number of {@link #buffers()}} */
    final int count() {
        return count;
    }

    /** {@return what is to be transmitted before the file, null for nothing} */
    final ByteBuffer head() {
        return head;
    }

    /** {@return what is to be transmitted after the file, null for nothing} */
    final ByteBuffer tail() {
        return tail;
    }

    /** {@return whether there are buffers, one or several} */
    final boolean isBuffered() {
        return buffer != null || buffers != null;
    }

    /** {@return whether everything must be sent or written} */
    public final boolean wantsAll() {
        return whole;
    }

    /** {@return true if the sending half is to be shut down, false if the receiving half is} */
    public final boolean shutsDownOutput() {
        return output;
    }

    /** {@return the position in a file to begin at} */
    final long position() {
        return position;
    }

    /** {@return how many bytes of the file are to be transmitted} */
    final long bytes() {
        return bytes;
    }

    /** {@return the events to wait for, bits of {@link dev.sluice.demultiplexer.EventType#IO}} */
    public final int awaitedEvents() {
        return events;
    }

    /** {@return how long a timeout lasts, in nanoseconds} */
    final long nanos() {
        return nanos;
    }

    /** {@return the end of a timeout on the scale of {@link System#nanoTime()}} */
    public final long endOfTimeout() {
        return deadline;
    }

    /** {@return the result to post} */
    final long resultToPost() {
        return result;
    }

    /** {@return the peer to connect or send to, or the sender to be told of; may be null} */
    final PeerAddress peer() {
        return peer;
    }

    /** {@return what it is about besides its handle: an acceptor, a file, a path, or null} */
    final Object subject() {
        return subject;
    }

    /** {@return the acceptor} */
    public final SocketAcceptor acceptor() {
        return (SocketAcceptor) subject;
    }

    /** {@return the file to transmit} */
    public final FileHandle file() {
        return (FileHandle) subject;
    }

    /** {@return the path to open} */
    public final Path path() {
        return (Path) subject;
    }

    /** {@return the options to open with} */
    public final OpenOption[] openOptions() {
        return options;
    }

    /** {@return the flags to open with} */
    public final int openFlags() {
        return OpenFlags.of(options);
    }

    // In words

    @Override
    public final SystemCallException error(long negative) {
        return new SystemCallException(type.call(), subjectOfError(type, association, subject, peer), negative);
    }

    /** {@return what a failure of such an operation is about} */
    static String subjectOfError(OperationType type, Association association, Object subject, PeerAddress peer) {
        if (association == null) {
            return String.valueOf(subject);
        }
        String on = association.toString();
        return switch (type) {
            // A stream that is being connected is named after its peer already.
            case CONNECT, SEND_TO -> peer == null || on.contains(" " + peer + " ") ? on : on + " to " + peer;
            case TRANSMIT_FILE -> subject + " to " + on;
            default -> on;
        };
    }

    /** {@return the type and the subject} */
    @Override
    public final String toString() {
        return type == null ? "operation" : type + " " + subjectOfError(type, association, subject, peer);
    }
}
