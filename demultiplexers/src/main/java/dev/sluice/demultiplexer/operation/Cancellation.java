package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Errno;
import dev.sluice.failure.Failures;
import dev.sluice.failure.StackReserve;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The cancellation of an operation, wherever that is on its way. It is also the command by which a thread outside
 * leaves it to the thread inside.
 */
final class Cancellation extends Command {

    /** Whether a caller has requested it, and whether it has been forwarded to the mechanism. */
    enum State { NONE, REQUESTED, FORWARDED }

    private final OperationProcessor processor;
    private final OperationSlot operation;

    // Open to any thread
    private final AtomicLong leftTicket = new AtomicLong();
    private final AtomicBoolean left = new AtomicBoolean();

    // Used inside, and by the thread that starts the operation
    State state = State.NONE;
    /** The next one in a {@link CancellationQueue}, itself if it is the last there, null if it is not there. */
    OperationSlot nextToCancel;

    Cancellation(OperationProcessor processor, OperationSlot operation) {
        this.processor = processor;
        this.operation = operation;
    }

    /** Cancels one start of the operation, or leaves that. Called by any thread. */
    void ask(long ticket) {
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
            // The latest start that is to be cancelled, since another thread may have seen, and cancelled, a later one.
            leftTicket.accumulateAndGet(ticket, Math::max);
            if (left.compareAndSet(false, true)) {
                // The reserve above is for this, too: an error here would leave it marked as left, and never performed.
                processor.leaveCommand(this);
            }
        }
    }

    // Inside

    @Override
    void perform() {
        left.set(false);
        perform(leftTicket.get());
    }

    @Override
    boolean repeats() {
        return left.compareAndSet(false, true);
    }

    private void perform(long ticket) {
        assert processor.isInside();
        if (!operation.isInFlight(ticket)) {
            return;
        }
        OperationSlot.Phase seen = operation.phase;
        VarHandle.loadLoadFence();
        if (!operation.isInFlight(ticket)) {
            // It has completed, and was started again by another thread: the phase may be that of the new start.
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
            // The operations that it waits for are cancelled.
            return;
        }
        InFlight operations = processor.operations;
        switch (operation.phase) {
            case WAITING -> operations.complete(operation, -Errno.ECANCELED.number());
            case STARVING -> {
                operations.providedBuffers().waiting.leave(operation);
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
            operation.execution().cancel();
        } catch (RuntimeException | Error e) {
            if (Failures.isShortage(e)) {
                state = State.REQUESTED;
                processor.cancelsAgain = true;
            }
            // The others must still be cancelled.
            processor.failures.add(e);
        }
    }

    /** Cancels it once more if it is still being executed. */
    void repeat() {
        if (operation.isBegun() && operation.isCancelRequested()) {
            begin();
        }
    }
}
