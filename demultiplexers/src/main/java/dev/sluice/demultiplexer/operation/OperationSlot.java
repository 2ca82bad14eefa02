package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.handle.SystemCallException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * An operation from its claim to its completion, whatever it is asked for: that is in the {@link Arguments} of its
 * kind. Open to any thread until it is in flight; what it was asked for does not change until the last completion has
 * been collected.
 */
public final class OperationSlot extends StartableOperation {

    /** Where an operation that has been started is. */
    enum Phase { STARTED, WAITING, TO_BEGIN, BEGUN, STARVING, COMPLETED }

    /** Whether a caller has requested the cancellation, and whether it has been forwarded to the mechanism. */
    enum Cancellation { NONE, REQUESTED, FORWARDED }

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
    private final CancelCommand cancelCommand;

    // Its place among others
    long key;
    Phase phase = Phase.COMPLETED;
    OperationSlot previous;
    OperationSlot following;
    /** The next one in an {@link OperationQueue}. */
    OperationSlot nextWaiting;
    /** The next one in a {@link CancellationQueue}, itself if it is the last there, null if it is not there. */
    OperationSlot nextToCancel;
    Cancellation cancellation = Cancellation.NONE;
    /** The gaps in its stream's output that the program knew of when it started this. */
    int knownGaps;
    /** The number of the gap that it leaves in its stream's output, 0 for none that is to be known. */
    int gap;
    /** What it fails for, where an error number says too little; or null. */
    Throwable failure;

    /**
     * Makes a free one.
     *
     * @param processor the processor that will execute it
     */
    OperationSlot(OperationProcessor processor) {
        this.processor = processor;
        this.memory = new CallMemory(processor);
        this.cancelCommand = new CancelCommand(processor, this);
    }

    // Claim and ticket

    @Override
    public boolean isInFlight() {
        return stage(state) == IN_FLIGHT;
    }

    /** {@return whether the start with this ticket is in flight, by one look} */
    private boolean isInFlight(long ticket) {
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

    @Override
    Arguments prepare(OperationType type) {
        claim();
        boolean prepared = false;
        try {
            association = null;
            Arguments asked = argumentsOf(type);
            prepared = true;
            return asked;
        } finally {
            if (!prepared) {
                free();
            }
        }
    }

    @Override
    Arguments prepare(OperationType type, Association where) {
        Arguments asked = prepare(type);
        if (where instanceof HandleAssociation ours && ours.isOf(processor)) {
            association = ours;
            return asked;
        }
        free();
        Objects.requireNonNull(where, "association");
        throw new IllegalArgumentException("the association is of another demultiplexer: " + where);
    }

    /** {@return the arguments of a type, which now come first} */
    private Arguments argumentsOf(OperationType type) {
        Arguments before = null;
        Arguments found = arguments;
        while (found != null && found.type != type) {
            before = found;
            found = found.previous;
        }
        if (found == arguments && found != null) {
            return found;
        }
        if (found == null) {
            found = Arguments.of(this, type);
        } else {
            before.previous = found.previous;
        }
        if (arguments != null) {
            arguments.forget();
        }
        found.previous = arguments;
        arguments = found;
        return found;
    }

    @Override
    void start() {
        boolean started = false;
        try {
            arguments.check();
            STATE.setRelease(this, state ^ (CLAIMED | IN_FLIGHT));
            cancellation = Cancellation.NONE;
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
    public Execution execution() {
        return arguments.execution;
    }

    /** Executes it, or continues it. This may complete it immediately. */
    void begin() {
        if (arguments.execution == null) {
            arguments.execution = processor.newExecution(arguments);
        }
        arguments.execution.begin();
    }

    /** {@return whether it can be completed; false if it is being executed nevertheless, and will complete that way} */
    boolean giveUp() {
        return arguments.execution == null || arguments.execution.giveUp();
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
        cancel(ticket());
    }

    @Override
    public void cancel(long ticket) {
        if (!isInFlight(ticket)) {
            return;
        }
        if (processor.enterInside()) {
            try {
                cancelInside(ticket);
            } catch (StackOverflowError e) {
                processor.overflow = e;
                throw e;
            } finally {
                processor.leaveInside();
            }
        } else {
            cancelCommand.leave(ticket);
        }
    }

    // Only inside

    void cancelInside(long ticket) {
        assert processor.isInside();
        if (!isInFlight(ticket)) {
            return;
        }
        Phase seen = phase;
        VarHandle.loadLoadFence();
        if (!isInFlight(ticket)) {
            // It has completed, and was started again by another thread: the phase may be that of the new start.
            return;
        }
        if (seen == Phase.STARTED && arguments.canBeCancelled()) {
            requestCancel();
        } else {
            processor.cancellations.cancel(this);
        }
    }

    void requestCancel() {
        if (cancellation == Cancellation.NONE) {
            cancellation = Cancellation.REQUESTED;
        }
    }

    /** {@return whether it should not be attempted again} */
    public boolean isCancelRequested() {
        return cancellation != Cancellation.NONE;
    }

    /** {@return whether it is in a {@link CancellationQueue}} */
    public boolean isToCancel() {
        return nextToCancel != null;
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
        return new SystemCallException(type().call(), arguments.subjectOfError(), negative);
    }

    /** {@return the type and the subject} */
    @Override
    public String toString() {
        return arguments == null ? "operation" : type() + " " + arguments.subjectOfError();
    }
}
