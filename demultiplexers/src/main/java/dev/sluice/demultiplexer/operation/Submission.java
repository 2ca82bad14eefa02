package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Errno;
import dev.sluice.failure.StackReserve;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The way of an operation from its start to its first attempt: the commands of other threads, the operations to begin,
 * in order, and the number of those started. After the shutdown, starts are refused.
 */
final class Submission {

    private final OperationProcessor processor;

    // Open to any thread
    /** What other threads have left to the thread inside. */
    final CommandStack commands = new CommandStack();
    private final AtomicLong startedOutside = new AtomicLong();
    /** Written only inside. */
    private final AtomicLong startedInside = new AtomicLong();
    /** Written only inside. */
    private final AtomicLong collected = new AtomicLong();
    private volatile boolean shutDown;

    // Only inside
    /** The operations to begin, linked as in an {@link OperationQueue}. */
    private OperationSlot firstToBegin;
    private OperationSlot lastToBegin;

    Submission(OperationProcessor processor) {
        this.processor = processor;
    }

    // Open to any thread

    /** Starts an operation from outside. */
    void startFromOutside(OperationSlot operation) {
        StackReserve.requireForCall();
        // Counted first: a thread that waits for the last operation after a shutdown must not miss one that is on its
        // way.
        startedOutside.incrementAndGet();
        if (shutDown || !processor.leaveCommand(operation.startCommand)) {
            startedOutside.decrementAndGet();
            // That thread must look again if there is none after all.
            processor.wakeUp();
            throw refusal();
        }
    }

    private IllegalStateException refusal() {
        return new IllegalStateException(processor + " is shut down");
    }

    /** {@return the number of operations started whose last completion has not been collected} */
    int inFlight() {
        // What has been collected was started earlier, so read in this order the difference is never negative.
        long ended = collected.get();
        return (int) (startedInside.get() + startedOutside.get() - ended);
    }

    /** No more operations are started. */
    void shutDown() {
        shutDown = true;
    }

    /** {@return whether no more operations are accepted} */
    boolean isShutDown() {
        return shutDown;
    }

    // Only inside

    /** {@return whether other threads have left something, or something is left that there was no memory for} */
    boolean hasCommands() {
        return commands.top.get() != null || commands.deferred != null;
    }

    /** Performs what other threads have left. */
    void performCommands() {
        // Looking first spares the loop a write to a shared cache line in every turn.
        if (hasCommands()) {
            commands.performAll();
        }
    }

    /** Starts an operation from inside. */
    void startInside(OperationSlot operation) {
        if (shutDown) {
            throw refusal();
        }
        processor.catchUp();
        processor.operations.accept(operation);
        try {
            startedInside.lazySet(startedInside.getPlain() + 1);
        } catch (StackOverflowError e) {
            processor.overflow = e;
            throw e;
        }
    }

    void countCollected() {
        collected.lazySet(collected.getPlain() + 1);
    }

    /** An operation has come to its turn. */
    void toBegin(OperationSlot operation) {
        assert processor.isInside();
        operation.phase = OperationSlot.Phase.TO_BEGIN;
        if (firstToBegin == null) {
            firstToBegin = operation;
        } else {
            lastToBegin.nextWaiting = operation;
        }
        lastToBegin = operation;
    }

    /** Begins all operations that have come to their turn. */
    void beginAll() {
        assert processor.isInside();
        OperationSlot operation;
        try {
            while ((operation = firstToBegin) != null) {
                firstToBegin = operation.nextWaiting;
                operation.nextWaiting = null;
                operation.phase = OperationSlot.Phase.BEGUN;
                try {
                    begin(operation);
                } catch (RuntimeException | Error e) {
                    processor.operations.failed(operation, e);
                }
            }
        } catch (StackOverflowError e) {
            processor.overflow = e;
            throw e;
        }
    }

    private void begin(OperationSlot operation) {
        InFlight operations = processor.operations;
        if (operation.isCancelRequested()) {
            operations.complete(operation, -Errno.ECANCELED.number());
            return;
        }
        if (operation.association() != null && operation.association().isBehindGap(operation)) {
            operation.failure = operation.association().gap.cause(operation.association());
            operations.complete(operation, -Errno.EPIPE.number());
            return;
        }
        long result = prepare(operation.arguments());
        if (result == Arguments.NEEDS_CALL) {
            operation.begin();
        } else {
            operations.complete(operation, result);
        }
    }

    private static long prepare(Arguments asked) {
        try {
            return asked.prepare();
        } catch (RuntimeException e) {
            throw new TouchedBufferException(e);
        }
    }
}
