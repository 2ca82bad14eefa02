package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SystemCallException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An operation of any kind, from its claim to its completion. Its {@link Arguments} are set by the method that starts
 * it, and do not change until the last completion has been collected. Any thread may claim and start it; while it is in
 * flight it is used inside, except where noted.
 */
public final class OperationSlot extends FileOperationSlot {

    /** The phase of an operation that has been started. */
    enum Phase { STARTED, WAITING, TO_BEGIN, BEGUN, AWAITING_BUFFER, AWAITING_FORCE, COMPLETED }

    // The lowest bits of the state. The bits above them are the ticket, which distinguishes the starts of the
    // operation.
    private static final int FREE = 0;
    private static final int CLAIMED = 1;
    private static final int IN_FLIGHT = 2;
    private static final int STAGE_BITS = 2;
    private static final long STATES = 1L << TICKET_BITS + STAGE_BITS;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(OperationSlot.class, "state", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final OperationProcessor processor;
    private volatile long state = FREE;
    @Nullable Object handler;
    @Nullable Object token;
    private @Nullable HandleAssociation association;
    /** The arguments of the current or the last start, linked to those of other kinds; null until the first start. */
    private @Nullable Arguments arguments;

    private final CallMemory memory;
    final Command startCommand = new Command() {
        @Override
        void perform() {
            processor.operations.accept(OperationSlot.this);
        }
    };
    final Cancellation cancellation;

    // The place in tables and queues
    long key;
    Phase phase = Phase.COMPLETED;
    @Nullable OperationSlot previous;
    @Nullable OperationSlot following;
    /** The next operation in an {@link OperationQueue}. */
    @Nullable OperationSlot nextWaiting;
    /** The number of gaps in the output of the stream that the program knew of when it started the operation. */
    int knownGaps;
    /** The number of the gap that it leaves in the output of its stream; 0 for none that the program learns of. */
    int gap;
    /** The cause of a failure, in addition to the error number; or null. */
    @Nullable Throwable failure;

    /**
     * Creates an operation that is free.
     *
     * @param processor the processor that will execute it
     */
    OperationSlot(OperationProcessor processor) {
        this.processor = processor;
        this.memory = new CallMemory(processor);
        this.cancellation = new Cancellation(processor, this);
    }

    // Claim and ticket

    @Override
    public boolean isInFlight() {
        return stage(state) == IN_FLIGHT;
    }

    /** {@return whether the start with the given ticket is in flight, by a single read} */
    boolean isInFlight(long ticket) {
        long seen = state;
        return stage(seen) == IN_FLIGHT && ticket(seen) == ticket;
    }

    private static int stage(long state) {
        return (int) state & (1 << STAGE_BITS) - 1;
    }

    @Override
    public long ticket() {
        return ticket(state);
    }

    private static long ticket(long state) {
        return state >> STAGE_BITS;
    }

    @Override
    public long claim(@Nullable Object newHandler, @Nullable Object newToken) {
        long seen = state;
        if (stage(seen) != FREE) {
            return -1;
        }
        long claimed = claimed(seen);
        long number = ticket(claimed);
        if (!STATE.compareAndSet(this, seen, claimed)) {
            return -1;
        }
        // Without a call from here on, because there might be no stack for it.
        handler = newHandler;
        token = newToken;
        return number;
    }

    private static long claimed(long free) {
        return free + (1 << STAGE_BITS) & STATES - 1 | CLAIMED;
    }

    private void claim() {
        long seen = state;
        if (stage(seen) != CLAIMED
                && (stage(seen) != FREE || !STATE.compareAndSet(this, seen, claimed(seen)))) {
            throw new IllegalStateException("the operation is in flight: " + this);
        }
    }

    /** Frees the operation: its last completion has been collected, or it has not been started. */
    private void free() {
        handler = null;
        token = null;
        if (arguments != null) {
            arguments.free();
        }
        // A release: the thread that claims the operation next must see the writes above.
        STATE.setRelease(this, (state | CLAIMED | IN_FLIGHT) - (CLAIMED | IN_FLIGHT));
    }

    // Called by the thread that has claimed the operation

    @Override
    Arguments prepare(OperationType type) {
        claim();
        boolean prepared = false;
        try {
            association = null;
            if (arguments == null || arguments.type != type) {
                arguments = Arguments.of(this, type, arguments);
            }
            prepared = true;
            return arguments;
        } finally {
            if (!prepared) {
                free();
            }
        }
    }

    @Override
    Arguments prepare(OperationType type, Association where) {
        Arguments prepared = prepare(type);
        if (where instanceof HandleAssociation ours && ours.isOf(processor)) {
            association = ours;
            return prepared;
        }
        free();
        Objects.requireNonNull(where, "association");
        throw new IllegalArgumentException("the association is of another demultiplexer: " + where);
    }

    @Override
    void start() {
        boolean started = false;
        try {
            arguments().check();
            STATE.setRelease(this, state ^ (CLAIMED | IN_FLIGHT));
            cancellation.state = Cancellation.State.NONE;
            knownGaps = association == null ? 0 : association.gap.known;
            phase = Phase.STARTED;
            processor.start(this);
            started = true;
        } finally {
            // After an interrupted change the operation may be in flight. If it were started again, it would be in the
            // list of its handle twice.
            if (!started && processor.overflow == null) {
                free();
            }
        }
    }

    // The ways to start it

    @Override
    public void start(OperationType what, Association where) {
        prepare(what, where);
        start();
    }

    @Override
    public void accept(OperationType what, Association where, SocketAcceptor acceptor) {
        ((Accepting) prepare(what, where)).set(acceptor);
        start();
    }

    @Override
    public void connect(Association where, PeerAddress remote) {
        ((Peer) prepare(OperationType.CONNECT, where)).set(remote);
        start();
    }

    @Override
    public void shutdown(Association where, boolean ofOutput) {
        ((ClosedHalf) prepare(OperationType.SHUTDOWN, where)).set(ofOutput);
        start();
    }

    @Override
    public void transmitFile(Association where, FileHandle file, long from, long number, @Nullable ByteBuffer head,
            @Nullable ByteBuffer tail) {
        ((Transmission) prepare(OperationType.TRANSMIT_FILE, where)).set(file, from, number, head, tail);
        start();
    }

    @Override
    public void receiveFrom(Association where, ByteBuffer destination, @Nullable PeerAddress sender) {
        ((Datagram) prepare(OperationType.RECEIVE_FROM, where)).set(destination, sender);
        start();
    }

    @Override
    public void sendTo(Association where, ByteBuffer source, @Nullable PeerAddress remote) {
        ((Datagram) prepare(OperationType.SEND_TO, where)).set(source, remote);
        start();
    }

    @Override
    public void transfer(OperationType what, Association where, ByteBuffer buffer, long position, boolean all) {
        ((Transfer) prepare(what, where)).set(buffer, position, all);
        start();
    }

    @Override
    public void transfer(OperationType what, Association where, ByteBuffer[] buffers, int first, int number,
            long position, boolean all) {
        ((Transfer) prepare(what, where)).set(buffers, first, number, position, all);
        start();
    }

    @Override
    public void poll(Association where, int events) {
        ((Events) prepare(OperationType.POLL, where)).set(events);
        start();
    }

    @Override
    public void timeout(long nanos) {
        ((Delay) prepare(OperationType.TIMEOUT)).set(nanos);
        start();
    }

    @Override
    public void post(long result) {
        ((Posted) prepare(OperationType.POST)).set(result);
        start();
    }

    // The current start

    @Override
    public @Nullable OperationType type() {
        return arguments == null ? null : arguments.type;
    }

    /** {@return the arguments of the current or the last start} */
    public Arguments arguments() {
        assert arguments != null;
        return arguments;
    }

    /** {@return how the operation is executed; null if it has not been executed with arguments of this kind} */
    public @Nullable Execution<?> execution() {
        return arguments().execution;
    }

    /** Executes the operation, or continues it. This may complete it immediately. */
    void begin() {
        Arguments given = arguments();
        Execution<?> execution = given.execution;
        if (execution == null) {
            execution = processor.newExecution(given);
            given.execution = execution;
        }
        execution.begin();
    }

    /** {@return the native memory that calls of the operation use} */
    public CallMemory memory() {
        return memory;
    }

    @Override
    public @Nullable HandleAssociation association() {
        return association;
    }

    /** {@return the association of an operation on a handle} */
    public HandleAssociation handleAssociation() {
        assert association != null;
        return association;
    }

    // Cancelling, by any thread

    @Override
    public void cancel() {
        cancellation.cancel(ticket());
    }

    @Override
    public void cancel(long ticket) {
        cancellation.cancel(ticket);
    }

    // Called only inside

    /** {@return whether the operation has been cancelled, so that it must not be attempted again} */
    public boolean isCancelRequested() {
        return cancellation.state != Cancellation.State.NONE;
    }

    /** {@return whether the operation is in a {@link CancellationQueue}} */
    public boolean isToCancel() {
        return cancellation.nextToCancel != null;
    }

    /** {@return the key of this start, which no other operation in flight and no other start has; never negative} */
    public long key() {
        return key;
    }

    /** {@return the operation accepted after this one on the same handle, or null} */
    public @Nullable OperationSlot following() {
        return following;
    }

    Direction direction() {
        return arguments().direction;
    }

    /**
     * {@return whether its connection cannot exceed its share, even if the system uses all offered buffers for it, and
     * their replacements before it stops the receive}
     */
    public boolean mayTakeAllOffered() {
        ProvidedBuffers provided = processor.memory.providedBuffers;
        return !provided.limited || handleAssociation().taken + 2 * provided.maxOffered <= provided.maxRetained;
    }

    /** {@return whether the operation is being executed} */
    public boolean isBegun() {
        return phase == Phase.BEGUN;
    }

    void collected() {
        if (gap > 0) {
            // Operations that are started from now on are sent.
            handleAssociation().gap.known = gap;
            gap = 0;
        }
        free();
        processor.operations.countCollected();
    }

    // Messages

    @Override
    public SystemCallException error(long negative) {
        Arguments given = arguments();
        return new SystemCallException(given.call(), given.subjectOfError(), negative, given.advice(negative));
    }

    @Override
    public String toString() {
        return arguments == null ? "operation" : type() + " " + arguments.subjectOfError();
    }
}
