package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Errno;
import dev.sluice.failure.Failures;
import java.util.function.Consumer;

/** Cancels operations in flight, wherever they are on their way. Used inside. */
final class Cancellations {

    private final OperationProcessor processor;
    private final Consumer<OperationSlot> cancelling = this::cancel;
    private final Consumer<OperationSlot> repeating = operation -> {
        if (operation.isBegun() && operation.isCancelRequested()) {
            cancel(operation);
        }
    };
    /** Whether an operation has to be cancelled once more, as there was no memory for it: {@link #repeat} does that. */
    boolean repeats;

    Cancellations(OperationProcessor processor) {
        this.processor = processor;
    }

    void cancelAll() {
        processor.operations.forEach(cancelling);
    }

    /** Cancels those operations for whose cancellation there was no memory. */
    void repeat() {
        if (repeats) {
            repeats = false;
            processor.operations.forEach(repeating);
        }
    }

    /** Cancels an operation that has been accepted. */
    void cancel(OperationSlot operation) {
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
            case TO_BEGIN -> operation.requestCancel();
            case BEGUN -> {
                operation.requestCancel();
                if (operation.cancellation != OperationSlot.Cancellation.FORWARDED) {
                    forward(operation);
                }
            }
            default -> { }
        }
    }

    private void forward(OperationSlot operation) {
        operation.cancellation = OperationSlot.Cancellation.FORWARDED;
        try {
            operation.execution().cancel();
        } catch (RuntimeException | Error e) {
            if (Failures.isShortage(e)) {
                operation.cancellation = OperationSlot.Cancellation.REQUESTED;
                repeats = true;
            }
            // The others must still be cancelled.
            processor.failures.add(e);
        }
    }
}
