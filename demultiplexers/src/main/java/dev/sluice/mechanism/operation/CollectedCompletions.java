package dev.sluice.mechanism.operation;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.Completions;
import dev.sluice.demultiplexer.Operation;
import java.util.Objects;

/** Completions whose provided buffers go back when the next ones come, unless they have been kept. */
public abstract class CollectedCompletions implements Completions {

    private final OperationProcessor processor;
    /** What the last wait brought, followed by records of earlier waits that can be filled again. */
    private final CompletionRecord[] records;
    private int size;

    /**
     * Makes room.
     *
     * @param processor the processor that it works with
     * @param capacity  the most completions that one wait collects, at least 1
     */
    public CollectedCompletions(OperationProcessor processor, int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.processor = processor;
        this.records = new CompletionRecord[capacity];
    }

    /**
     * Checks that a wait may fill this room.
     *
     * @param room      what the caller has passed in
     * @param processor the processor that waits
     * @return the room, made by that processor
     * @throws IllegalArgumentException if it was not made by that processor
     */
    static CollectedCompletions require(Completions room, OperationProcessor processor) {
        Objects.requireNonNull(room, "completions");
        if (room instanceof CollectedCompletions completions && completions.processor == processor) {
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

    final CompletionRecord record(int index) {
        return records[Objects.checkIndex(index, size)];
    }

    @Override
    public final Operation operation(int index) {
        return record(index).operation();
    }

    @Override
    public final long result(int index) {
        return record(index).value();
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

    final boolean isFull() {
        return size == records.length;
    }

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

    @Override
    public void close() {
        clear();
    }
}
