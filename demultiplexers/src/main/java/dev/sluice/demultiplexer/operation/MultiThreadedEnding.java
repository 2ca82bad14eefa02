package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.Completion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * What a {@link MultiThreadedProcessor} does before its {@link Ending}: the closing thread ends all waits, waits until
 * the last of their threads has left, and then stays inside.
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
    private CollectedCompletions completions;

    MultiThreadedEnding(MultiThreadedProcessor processor, WaitingThreads waiting) {
        this.processor = processor;
        this.waiting = waiting;
    }

    /** Makes the batch that the close collects into. */
    void reserve() {
        completions = processor.newCompletions(CAPACITY);
    }

    void releaseReserved() {
        if (completions != null) {
            completions.close();
        }
    }

    /** {@return whether the waits are to end} */
    boolean isClosing() {
        return closing;
    }

    /** A thread exits while the waits are to end. Called inside. */
    void exiting() {
        if (waiting.isEmpty()) {
            lastWaiterLeft.countDown();
            return;
        }
        try {
            processor.signal();
        } catch (UncheckedIOException | OutOfMemoryError e) {
            // The close repeats it until the last waiter has left.
        }
    }

    /** Makes operations progress until none is in flight. Called inside. */
    void execute() throws IOException {
        // Not without limit: the signal of a cancellation may have been refused.
        processor.await(completions, processor.beginWait(completions,
                TimeUnit.MILLISECONDS.toNanos(OperationProcessor.PAUSE_MILLIS)));
        processor.take(completions);
    }

    /** {@return whether the caller has tried to close, as no other thread does} */
    boolean tryClose(Consumer<? super Completion> rest) {
        if (!begun.compareAndSet(false, true)) {
            return false;
        }
        try {
            if (!processor.isClosed()) {
                processor.ending.leaveRestTo(rest);
                awaitLastWaiter();
                processor.closeInside();
            }
        } finally {
            // If there was no memory for it, the next call goes on, which may be that of a thread that waits.
            begun.set(false);
        }
        return true;
    }

    private void awaitLastWaiter() {
        boolean interrupted = false;
        do {
            // Again and again, because a signal may have been refused.
            processor.enter();
            closing = true;
            processor.failures.guard(processor.leaving);
            interrupted |= OperationProcessor.isInterruptedBefore(lastWaiterLeft);
        } while (lastWaiterLeft.getCount() > 0);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
