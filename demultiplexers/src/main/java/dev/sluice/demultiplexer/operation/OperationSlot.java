package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SystemCallException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.Objects;

/**
 * An operation from its claim to its completion, whatever it is asked for: that is in the {@link Arguments} of its
 * kind, which each way to start it fills in. Open to any thread until it is in flight; what it was asked for does not
 * change until the last completion has been collected.
 */
public final class OperationSlot implements Operation {

    /** Where an operation that has been started is. */
    enum Phase { STARTED, WAITING, TO_BEGIN, BEGUN, STARVING, COMPLETED }

    // The lowest bits of the state; above them is the ticket, so that one start cannot be mistaken for another.
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
    Object handler;
    Object token;
    private HandleAssociation association;
    /** What it is asked for, or was last; those of other kinds follow. Null until it is first started. */
    private Arguments arguments;

    private final CallMemory memory;
    final Command startCommand = new Command() {
        @Override
        void perform() {
            processor.operations.accept(OperationSlot.this);
        }
    };
    final Cancellation cancellation;

    // Its place among others
    long key;
    Phase phase = Phase.COMPLETED;
    OperationSlot previous;
    OperationSlot following;
    /** The next one in an {@link OperationQueue}. */
    OperationSlot nextWaiting;
    /** The gaps in its stream's output that the program knew of when it started this. */
    int knownGaps;
    /** The number of the gap that it leaves in its stream's output, 0 for none that is to be known. */
    int gap;
    /** What it fails for, where an error number says too little; or null. */
    Throwable failure;

    /**
     * Creates a free one.
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

    /** {@return whether the start with this ticket is in flight, by one look} */
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
    public long claim(Object newHandler, Object newToken) {
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

    private void claim() {
        long seen = state;
        if (stage(seen) != CLAIMED
                && (stage(seen) != FREE || !STATE.compareAndSet(this, seen, claimed(seen)))) {
            throw new IllegalStateException("the operation is in flight: " + this);
        }
    }

    /** The last completion has been collected, or there will be none. */
    private void free() {
        handler = null;
        token = null;
        if (arguments != null) {
            arguments.free();
        }
        // The thread that claims it next must see the above, and nothing here depends on what that thread writes.
        STATE.setRelease(this, (state | CLAIMED | IN_FLIGHT) - (CLAIMED | IN_FLIGHT));
    }

    // The start, by the thread that has claimed it

    /**
     * Claims it, unless the caller has.
     *
     * @param type what it is to do
     * @return what that kind is asked for
     */
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

    /** As {@link #prepare(OperationType)}, for an operation on a handle. */
    private Arguments prepare(OperationType type, Association where) {
        prepare(type);
        if (where instanceof HandleAssociation ours && ours.isOf(processor)) {
            association = ours;
            return arguments;
        }
        free();
        Objects.requireNonNull(where, "association");
        throw new IllegalArgumentException("the association is of another demultiplexer: " + where);
    }

    /** Checks the arguments, and starts what it was prepared for. */
    private void start() {
        boolean started = false;
        try {
            arguments.check();
            STATE.setRelease(this, state ^ (CLAIMED | IN_FLIGHT));
            cancellation.state = Cancellation.State.NONE;
            knownGaps = association == null ? 0 : association.gap.known;
            phase = Phase.STARTED;
            processor.start(this);
            started = true;
        } finally {
            // What may be in flight is not started again, or its handle's list would lead from it to itself.
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
    public void transmitFile(Association where, FileHandle file, long from, long number, ByteBuffer head,
            ByteBuffer tail) {
        ((Transmission) prepare(OperationType.TRANSMIT_FILE, where)).set(file, from, number, head, tail);
        start();
    }

    @Override
    public void receiveFrom(Association where, ByteBuffer destination, PeerAddress sender) {
        ((Datagram) prepare(OperationType.RECEIVE_FROM, where)).set(destination, sender);
        start();
    }

    @Override
    public void sendTo(Association where, ByteBuffer source, PeerAddress remote) {
        ((Datagram) prepare(OperationType.SEND_TO, where)).set(source, remote);
        start();
    }

    @Override
    public void open(Path path, OpenOption[] options, FileAttribute<?>[] attributes) {
        ((Opening) prepare(OperationType.OPEN)).set(path, options, attributes);
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

    // What it was started with

    @Override
    public OperationType type() {
        return arguments == null ? null : arguments.type;
    }

    /** {@return what it was asked for} */
    public Arguments arguments() {
        return arguments;
    }

    /** {@return how it is executed; null if it never was for what it is asked for} */
    public Execution<?> execution() {
        return arguments.execution;
    }

    /** Executes it, or continues it. This may complete it immediately. */
    void begin() {
        if (arguments.execution == null) {
            arguments.execution = processor.newExecution(arguments);
        }
        arguments.execution.begin();
    }

    /** {@return the native memory that its calls use} */
    public CallMemory memory() {
        return memory;
    }

    @Override
    public HandleAssociation association() {
        return association;
    }

    // Cancelling, by any thread

    @Override
    public void cancel() {
        cancellation.ask(ticket());
    }

    @Override
    public void cancel(long ticket) {
        cancellation.ask(ticket);
    }

    // Only inside

    /** {@return whether it should not be attempted again} */
    public boolean isCancelRequested() {
        return cancellation.state != Cancellation.State.NONE;
    }

    /** {@return whether it is in a {@link CancellationQueue}} */
    public boolean isToCancel() {
        return cancellation.nextToCancel != null;
    }

    /**
     * {@return what distinguishes it from other operations in flight, and from its own other starts; never negative}
     */
    public long key() {
        return key;
    }

    /** {@return the operation accepted after this one on the same handle, or null} */
    public OperationSlot following() {
        return following;
    }

    Direction direction() {
        return arguments.direction;
    }

    /** {@return whether it is being executed} */
    public boolean isBegun() {
        return phase == Phase.BEGUN;
    }

    void collected() {
        if (gap > 0) {
            // What is started from now on is sent.
            association.gap.known = gap;
            gap = 0;
        }
        free();
        processor.operations.countCollected();
    }

    // In words

    @Override
    public SystemCallException error(long negative) {
        return new SystemCallException(type().call(), arguments.subjectOfError(), negative,
                arguments.advice(negative));
    }

    /** {@return the type and the subject} */
    @Override
    public String toString() {
        return arguments == null ? "operation" : type() + " " + arguments.subjectOfError();
    }
}
