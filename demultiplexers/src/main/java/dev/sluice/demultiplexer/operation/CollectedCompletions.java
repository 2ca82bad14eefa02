package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.demultiplexer.spi.Operation;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A batch of completions, whose provided buffers go back when the next ones come, unless they have been kept. While it
 * holds a handle, no batch gets further completions of that handle. Where several threads wait, it holds the handles
 * whose completions it has, until it is waited with again or closed.
 */
public class CollectedCompletions implements Completions {

    /** Maximum number of consecutive waits skipped, so that operations that complete at once do not hold up others. */
    private static final int MAX_SKIPPED_WAITS = 8;
    /**
     * The same while no thread waits: handles that have become ready must be served as soon as handles whose operations
     * complete at once. So as long as waits complete operations, only one is skipped, for the reply.
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
    /** The line of the handle that it took hold of last, which is linked to the others; null if it holds none. */
    CompletionLine held;
    /** Number of consecutive waits skipped. The first wait is never skipped. */
    private int skippedWaits = MAX_SKIPPED_WAITS;
    /** Whether operations have completed in the last wait that was not skipped. */
    private boolean madeProgress;

    /**
     * Creates an empty batch.
     *
     * @param processor the processor that it works with
     * @param capacity  the maximum number of completions that one wait collects, at least 1
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
     * @param batch     what the caller has passed in
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
        return record(index).operation;
    }

    @Override
    public final long result(int index) {
        return record(index).result;
    }

    /**
     * Adds a completion.
     *
     * @return in exchange, a record that is no longer needed, or null
     */
    final CompletionRecord add(CompletionRecord record) {
        CompletionRecord spent = records[size];
        records[size++] = record;
        return spent;
    }

    /** Gives back the records that are not used, when it has been closed. Called inside. */
    final void giveBackRecords(CompletionQueue queue) {
        for (int i = size; i < records.length && records[i] != null; i++) {
            queue.giveBack(records[i]);
            records[i] = null;
        }
    }

    final boolean isFull() {
        return size == records.length;
    }

    // Skipping waits

    /**
     * Whether a wait may be skipped if there is a completion already. Besides the system call, this is for speed
     * because the wait might bring a completion for which the batch has no space, and another thread would have to be
     * signalled to collect it. A larger batch has space for what a wait brings.
     *
     * @param noneWaits whether no thread waits
     * @return true if it may be
     */
    final boolean maySkipWait(boolean noneWaits) {
        int most = noneWaits && madeProgress ? MAX_SKIPPED_WAITS_AFTER_PROGRESS : MAX_SKIPPED_WAITS;
        return records.length == 1 && skippedWaits < most;
    }

    /** A wait has been skipped, unless there was no completion. */
    final void skippedWait() {
        skippedWaits += size;
    }

    final void waited(boolean progress) {
        skippedWaits = 0;
        madeProgress = progress;
    }

    // Holding

    /** Where several threads wait, it has held the handle since the completion was collected. */
    @Override
    public final void defer(int index) {
        CompletionLine line = CompletionQueue.line(record(index));
        // If another thread is closing the processor, no wait delivers anything.
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

    /** Does nothing where several threads wait: the next wait with this batch releases what it holds. */
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
            while (later.nextHeld != line) {
                later = later.nextHeld;
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

    /** Any thread may close it, since its own thread may have ended. */
    @Override
    public void close() {
        clear();
        if (closeCommanded.compareAndSet(false, true)) {
            processor.command(closeCommand);
        }
    }
}
