package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.failure.CloseSteps;
import dev.sluice.failure.Failures;
import dev.sluice.failure.OutOfMemoryRetry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The end of a processor: the shutdown cancels all operations in flight; the close waits for them and releases all
 * resources. Operations that cannot end because the mechanism has failed complete as cancelled.
 */
final class Ending {

    /** The number of failed waits after which a close stops waiting for operations. */
    private static final int MAX_FAILURES = 16;
    private static final long PAUSE_NANOS = 10_000_000;

    // Allocated in advance, because there may be no memory when it is used.
    private static final Consumer<OperationSlot> CANCELLING = operation -> operation.cancellation.begin();

    private final OperationProcessor processor;
    private final CompletionQueue completed;
    private final Failures failures;

    // May be used by any thread
    private final AtomicBoolean shutdownCommanded = new AtomicBoolean();
    private final Command shutdownCommand = new Command() {
        @Override
        void perform() {
            shutdownCommanded.set(false);
            cancelAll();
        }

        @Override
        boolean repeats() {
            return shutdownCommanded.compareAndSet(false, true);
        }
    };
    private final CountDownLatch closed = new CountDownLatch(1);
    /** Receives the completions that no wait will collect. */
    private volatile Consumer<? super Completion> rest = Completion::closeUnclaimed;

    // Used only inside
    /** The number of operations that the system may still execute after the close. */
    private int stillExecuting;
    private boolean closing;
    private final OutOfMemoryRetry shortage = new OutOfMemoryRetry();
    private final CloseSteps disposal;

    Ending(OperationProcessor processor, CompletionQueue completed, Failures failures) {
        this.processor = processor;
        this.completed = completed;
        this.failures = failures;
        this.disposal = new CloseSteps(this::discardCompleted, processor::endAssociations, this::releaseOpened,
                processor::dispose, this::endRegistrations, this::abandonInFlight, this::freeMemory,
                processor::releaseReserved);
    }

    // May be used by any thread

    /** Refuses further operations, and cancels those in flight. */
    void shutdown() {
        processor.shutDown = true;
        // In each call, because there may have been no memory for it before.
        if (processor.enterInside()) {
            try {
                performAllAndCancel();
            } finally {
                processor.leaveInside();
            }
        } else {
            processor.commandOnce(shutdownCommanded, shutdownCommand);
        }
    }

    private void performAllAndCancel() {
        try {
            processor.commands.performAll();
        } finally {
            cancelAll();
        }
    }

    private void cancelAll() {
        processor.operations.forEach(CANCELLING);
    }

    /** Sets the consumer of the completions that no wait will collect. Has no effect after the close. */
    void setRestConsumer(Consumer<? super Completion> taker) {
        if (!isClosed()) {
            rest = taker;
        }
    }

    boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** {@return a latch that is released by the close} */
    CountDownLatch closed() {
        return closed;
    }

    // Used only inside

    /** {@return whether the close has begun} */
    boolean isClosing() {
        return closing;
    }

    /**
     * Ends all operations in flight, and releases all resources. Called inside, when no other thread can enter any
     * more. If it throws for lack of memory or stack, the processor is not closed, and the next call continues.
     */
    void close() {
        assert processor.isInside();
        processor.shutDown = true;
        closing = true;
        processor.commands.close(failures);
        cancelAll();
        processor.operations.beginAll();
        endInFlight();
        try {
            disposal.run();
        } catch (Throwable e) {
            failures.add(e);
        }
        if (disposal.areTaken()) {
            rest = Completion::closeUnclaimed;
            closed.countDown();
        }
        failures.throwKept();
    }

    private void endInFlight() {
        int failed = 0;
        while (!processor.operations.isEmpty() && failed < MAX_FAILURES) {
            // Operations may never complete after a change has been interrupted.
            boolean interrupted = processor.overflow != null;
            failed += interrupted ? 1 : 0;
            try {
                processor.execute(interrupted ? PAUSE_NANOS : AsynchronousEventDemultiplexer.FOREVER);
                shortage.end();
            } catch (IOException e) {
                failures.add(new UncheckedIOException(processor + " cannot end its operations", e));
                failed++;
            } catch (OutOfMemoryError e) {
                shortage.pauseBeforeRetry(e);
            } catch (StackOverflowError e) {
                // The next call may have more stack.
                throw e;
            } catch (RuntimeException | Error e) {
                failures.add(e);
                failed++;
            }
            processor.cancelAgain();
            processor.operations.beginAll();
            discardCompleted();
        }
    }

    private void discardCompleted() {
        completed.discard(rest);
    }

    private void endRegistrations() {
        processor.registeredBytes = 0;
    }

    private void freeMemory() {
        processor.memory.providedBuffers.retire();
        if (stillExecuting == 0) {
            processor.memory.free();
        }
    }

    /** Completes all operations as cancelled, because the mechanism has failed. */
    private void abandonInFlight() {
        List<Object> touched = new ArrayList<>();
        processor.operations.forEach(operation -> abandonOrNote(operation, touched));
        discardCompleted();
        if (stillExecuting > 0) {
            LeakedMemory.add(processor, stillExecuting, touched);
        }
    }

    /** Lets the operations close what they have opened, as long as the mechanism knows what the system has received. */
    private void releaseOpened() {
        processor.operations.forEach(this::releaseOpenedOf);
    }

    private void releaseOpenedOf(OperationSlot operation) {
        Execution<?> execution = operation.execution();
        if (operation.isBegun() && execution != null) {
            try {
                execution.abandoned();
            } catch (RuntimeException | Error e) {
                // Not thrown: this must happen once, because the number of a closed descriptor may be reused.
                failures.add(e);
            }
        }
    }

    private void abandonOrNote(OperationSlot operation, List<Object> touched) {
        try {
            abandon(operation, touched);
        } catch (RuntimeException e) {
            failures.add(e);
        }
    }

    private void abandon(OperationSlot operation, List<Object> touched) {
        boolean stillRuns = operation.isBegun() && !processor.endsWithItsDisposal();
        if (stillRuns) {
            operation.arguments().addMemory(touched);
            operation.memory().detach(touched);
        }
        if (!operation.isBegun()) {
            operation.arguments().abandoned();
        }
        processor.operations.complete(operation, -Errno.ECANCELED.number());
        stillExecuting += stillRuns ? 1 : 0;
    }
}
