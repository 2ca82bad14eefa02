package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.Completion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The close of a {@link MultiThreadedProcessor} up to its {@link Ending}: the closing thread ends all waits, waits
 * until the last waiting thread has left, and then stays inside.
 */
final class MultiThreadedEnding {

    private static final int CAPACITY = 64;

    private final MultiThreadedProcessor processor;
    private final WaitingThreads waiting;

    // Open to any thread
    private final AtomicBoolean begun = new AtomicBoolean();
    private volatile boolean closing;
    private final CountDownLatch lastWaiterLeft = new CountDownLatch(1);

    // Only inside
    private @Nullable CollectedCompletions completions;

    MultiThreadedEnding(MultiThreadedProcessor processor, WaitingThreads waiting) {
        this.processor = processor;
        this.waiting = waiting;
    }

    /** Allocates the batch that the close collects into. */
    void reserve() {
        completions = processor.newCompletions(CAPACITY);
    }

    void releaseReserved() {
        if (completions != null) {
            completions.close();
        }
    }

    /** {@return whether the processor is being closed, so that waits must end} */
    boolean isClosing() {
        return closing;
    }

    /** Called inside when a thread exits while the processor is being closed. */
    void exiting() {
        if (waiting.isEmpty()) {
            lastWaiterLeft.countDown();
            return;
        }
        try {
            // First, because the calling thread may have taken the previous signal, and not have prepared the next one.
            processor.handOver(true);
            processor.signal();
        } catch (UncheckedIOException | OutOfMemoryError e) {
            // The close repeats it until the last waiter has left.
        }
    }

    /** Makes operations progress once. Called inside. */
    void execute() throws IOException {
        CollectedCompletions batch = completions;
        assert batch != null;
        // With a limit, because the system may have refused the signal of a cancellation.
        processor.await(batch, processor.beginWait(batch,
                TimeUnit.MILLISECONDS.toNanos(OperationProcessor.PAUSE_MILLIS)));
        processor.take(batch);
    }

    /** {@return whether the caller has tried to close the processor; false if another thread is closing it} */
    boolean tryClose(Consumer<? super Completion> rest) {
        if (!begun.compareAndSet(false, true)) {
            return false;
        }
        try {
            if (!processor.isClosed()) {
                processor.ending.setRestConsumer(rest);
                awaitLastWaiter();
                processor.closeInside();
            }
        } finally {
            // If there was no memory for the close, the next call continues, which may be that of another thread.
            begun.set(false);
        }
        return true;
    }

    private void awaitLastWaiter() {
        boolean interrupted = false;
        do {
            // Repeated, because the system may have refused a signal.
            processor.entrance.enter();
            closing = true;
            processor.failures.guard(processor.entrance.leaving);
            interrupted |= OperationProcessor.isInterruptedBefore(lastWaiterLeft);
        } while (lastWaiterLeft.getCount() > 0);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
