package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.Operation;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A batch of completions. Their provided buffers are released by the next wait with the batch, unless they are
 * retained. While the batch holds a handle, no batch gets further completions of that handle. If several threads wait,
 * the batch holds the handles of all its completions until it is used for another wait or closed.
 */
public class CollectedCompletions implements Completions {

    /** Maximum number of consecutive waits skipped, so that operations that complete at once do not hold up others. */
    private static final int MAX_SKIPPED_WAITS = 8;
    /**
     * The maximum number of consecutive waits skipped while no other thread waits and waits complete operations: one,
     * for the reply. More would delay handles that have become ready behind handles whose operations complete
     * immediately.
     */
    private static final int MAX_SKIPPED_WAITS_AFTER_PROGRESS = 1;

    private final OperationProcessor processor;
    /** The completions of the last wait, followed by records of earlier waits that can be filled again. */
    private final CompletionRecord[] records;
    private int size;
    private final AtomicBoolean closeCommanded = new AtomicBoolean();
    private final Command closeCommand = new Command() {
        @Override
        void perform() {
            closeCommanded.set(false);
            processor.completed.close(CollectedCompletions.this);
        }

        @Override
        boolean repeats() {
            return closeCommanded.compareAndSet(false, true);
        }
    };

    // Used inside
    /** The line of the handle that was taken hold of last, which is linked to the others; null if no handle is held. */
    @Nullable CompletionLine held;
    /** Number of consecutive waits skipped. The first wait is never skipped. */
    private int skippedWaits = MAX_SKIPPED_WAITS;
    /** Whether operations completed in the last wait that was not skipped. */
    private boolean madeProgress;

    /**
     * Creates an empty batch.
     *
     * @param processor the processor whose completions it collects
     * @param capacity  the maximum number of completions of one wait, at least 1
     */
    public CollectedCompletions(OperationProcessor processor, int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.processor = processor;
        this.records = new CompletionRecord[capacity];
    }

    /**
     * Checks that a wait may fill this batch.
     *
     * @param batch     the argument of the caller
     * @param processor the processor that waits
     * @return the batch, made by that processor
     * @throws IllegalArgumentException if it was not made by that processor
     */
    static CollectedCompletions require(Completions batch, OperationProcessor processor) {
        Objects.requireNonNull(batch, "completions");
        if (batch instanceof CollectedCompletions completions && completions.processor == processor) {
            return completions;
        }
        throw new IllegalArgumentException("the completions are not from newCompletions of " + processor);
    }

    @Override
    public final int size() {
        return size;
    }

    @Override
    public final int capacity() {
        return records.length;
    }

    @Override
    public final Completion get(int index) {
        return record(index);
    }

    private CompletionRecord record(int index) {
        return records[Objects.checkIndex(index, size)];
    }

    @Override
    public final Operation operation(int index) {
        OperationSlot operation = record(index).operation;
        assert operation != null;
        return operation;
    }

    @Override
    public final long result(int index) {
        return record(index).result;
    }

    /**
     * Adds a completion.
     *
     * @return a record that is no longer used, or null
     */
    final @Nullable CompletionRecord add(CompletionRecord record) {
        CompletionRecord spent = records[size];
        records[size++] = record;
        return spent;
    }

    /** Returns unused records to the queue after the close. Called inside. */
    final void recycleRecords(CompletionQueue queue) {
        for (int i = size; i < records.length && records[i] != null; i++) {
            queue.recycle(records[i]);
            records[i] = null;
        }
    }

    final boolean isFull() {
        return size == records.length;
    }

    // Skipping waits

    /**
     * Decides whether a wait may be skipped if a completion is available. That saves the system call, and the signal to
     * another thread for a completion for which this batch would have no space. Larger batches do not skip waits,
     * because they have space for what a wait brings.
     *
     * @param noneWaits whether no thread waits
     * @return whether the wait may be skipped
     */
    final boolean maySkipWait(boolean noneWaits) {
        int limit = noneWaits && madeProgress ? MAX_SKIPPED_WAITS_AFTER_PROGRESS : MAX_SKIPPED_WAITS;
        return records.length == 1 && skippedWaits < limit;
    }

    /** Counts a skipped wait, unless there was no completion. */
    final void skippedWait() {
        skippedWaits += size;
    }

    final void waited(boolean progress) {
        skippedWaits = 0;
        madeProgress = progress;
    }

    // Holding

    /**
     * Defers further completions of a completion's handle until {@link #release}. If several threads wait, the handle
     * has been held since the completion was collected.
     */
    @Override
    public final void defer(int index) {
        CompletionLine line = CompletionQueue.line(record(index));
        // If another thread is closing the processor, no wait collects completions.
        if (line != null && line.holder == null && processor.enterInside()) {
            try {
                processor.completed.hold(line, this);
            } finally {
                processor.leaveInside();
            }
        }
    }

    @Override
    public final boolean isDeferred(int index) {
        CompletionLine line = CompletionQueue.line(record(index));
        return line != null && line.holder != null;
    }

    /**
     * Ends {@link #defer}: the next wait returns the deferred completions first, in order. Has no effect if several
     * threads wait: the next wait with this batch releases all handles.
     */
    @Override
    public final void release(int index) {
        CompletionLine line = CompletionQueue.line(record(index));
        if (line != null && line.holder != null && !processor.completed.holdsWhatItHandsOut()
                && processor.enterInside()) {
            try {
                processor.completed.release(line);
            } finally {
                processor.leaveInside();
            }
        }
    }

    final void hold(CompletionLine line) {
        line.holder = this;
        line.nextHeld = held;
        held = line;
    }

    /** Undoes {@link #hold}. */
    final void release(CompletionLine line) {
        if (held == line) {
            held = line.nextHeld;
        } else {
            CompletionLine later = held;
            assert later != null;
            while (later.nextHeld != line) {
                later = later.nextHeld;
                assert later != null;
            }
            later.nextHeld = line.nextHeld;
        }
        line.nextHeld = null;
        line.holder = null;
    }

    // The end

    @Override
    public final void clear() {
        for (int i = 0; i < size; i++) {
            if (records[i].buffer() instanceof PooledBuffer buffer) {
                buffer.dispatched(this);
            }
        }
        for (int i = 0; i < size; i++) {
            records[i].forget();
        }
        size = 0;
    }

    /** {@inheritDoc} May be called by any thread, because the thread of the batch may have terminated. */
    @Override
    public void close() {
        clear();
        processor.commandOnce(closeCommanded, closeCommand);
    }
}
