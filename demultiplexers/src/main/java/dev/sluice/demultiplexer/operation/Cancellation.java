package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Errno;
import dev.sluice.failure.Failures;
import dev.sluice.failure.StackReserve;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The cancellation of an operation in any phase. Also the command by which a thread outside has the thread inside
 * cancel it.
 */
final class Cancellation extends Command {

    /** Whether cancellation has been requested, and forwarded to the mechanism. */
    enum State { NONE, REQUESTED, FORWARDED }

    private final OperationProcessor processor;
    private final OperationSlot operation;

    // May be used by any thread
    private final AtomicLong pendingTicket = new AtomicLong();
    private final AtomicBoolean commanded = new AtomicBoolean();

    // Used inside, and by the thread that starts the operation
    State state = State.NONE;
    /**
     * The next operation in a {@link CancellationQueue}; the operation itself if it is the last; null if it is in none.
     */
    @Nullable OperationSlot nextToCancel;

    Cancellation(OperationProcessor processor, OperationSlot operation) {
        this.processor = processor;
        this.operation = operation;
    }

    /** Cancels one start of the operation, or queues that as a command. Called by any thread. */
    void cancel(long ticket) {
        if (!operation.isInFlight(ticket)) {
            return;
        }
        StackReserve.requireForCall();
        if (processor.enterInside()) {
            try {
                perform(ticket);
            } catch (StackOverflowError e) {
                processor.overflow = e;
                throw e;
            } finally {
                processor.leaveInside();
            }
        } else {
            // The latest start that is to be cancelled: another thread may have cancelled a later one.
            pendingTicket.accumulateAndGet(ticket, Math::max);
            if (commanded.compareAndSet(false, true)) {
                // The stack required above covers this call: after an error here the command would count as queued
                // forever.
                processor.queueCommand(this);
            }
        }
    }

    // Inside

    @Override
    void perform() {
        commanded.set(false);
        perform(pendingTicket.get());
    }

    @Override
    boolean repeats() {
        return commanded.compareAndSet(false, true);
    }

    private void perform(long ticket) {
        assert processor.isInside();
        if (!operation.isInFlight(ticket)) {
            return;
        }
        OperationSlot.Phase seen = operation.phase;
        VarHandle.loadLoadFence();
        if (!operation.isInFlight(ticket)) {
            // It has completed and been started again by another thread, so the phase may be that of the new start.
            return;
        }
        if (seen == OperationSlot.Phase.STARTED && operation.arguments().canBeCancelled()) {
            request();
        } else {
            begin();
        }
    }

    /** Cancels an operation that has been accepted. */
    void begin() {
        assert processor.isInside();
        if (!operation.arguments().canBeCancelled()) {
            // The operations that it waits for are cancelled instead.
            return;
        }
        InFlight operations = processor.operations;
        switch (operation.phase) {
            case WAITING -> operations.complete(operation, -Errno.ECANCELED.number());
            case AWAITING_BUFFER -> {
                operations.providedBuffers().waiting.leave(operation);
                operations.complete(operation, -Errno.ECANCELED.number());
            }
            case AWAITING_FORCE -> {
                AppendForces.of(operation.handleAssociation()).leave(operation);
                operations.complete(operation, -Errno.ECANCELED.number());
            }
            case TO_BEGIN -> request();
            case BEGUN -> {
                request();
                if (state != State.FORWARDED) {
                    forward();
                }
            }
            default -> { }
        }
    }

    private void request() {
        if (state == State.NONE) {
            state = State.REQUESTED;
        }
    }

    private void forward() {
        state = State.FORWARDED;
        try {
            Execution<?> execution = operation.execution();
            assert execution != null;
            execution.cancel();
        } catch (RuntimeException | Error e) {
            if (Failures.isShortage(e)) {
                state = State.REQUESTED;
                processor.cancelsAgain = true;
            }
            // Other operations must still be cancelled.
            processor.failures.add(e);
        }
    }

    /** Cancels the operation again if it is still being executed. */
    void repeat() {
        if (operation.isBegun() && operation.isCancelRequested()) {
            begin();
        }
    }
}
