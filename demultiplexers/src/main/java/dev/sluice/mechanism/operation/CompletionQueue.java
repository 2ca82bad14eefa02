package dev.sluice.mechanism.operation;

import dev.sluice.demultiplexer.Completion;
import java.util.function.Consumer;

/**
 * The papers' completion event queue. Its records are filled when an operation completes, handed to a batch in exchange
 * for one that is no longer needed, and filled again. Used inside.
 */
abstract class CompletionQueue {

    private static final int FEWEST_RECORDS = 64;

    private CompletionRecord spare;
    private int spares;
    private int made;
    /** How many spare ones are for the last completions of operations in flight. */
    private int reserved;

    /** {@return whether there is nothing to be collected} */
    abstract boolean isEmpty();

    /** {@return the line of the completion's handle, or null} */
    static CompletionLine line(CompletionRecord record) {
        HandleAssociation association = record.association();
        return association == null ? null : association.completions();
    }

    /** Appends a filled record. */
    abstract void add(CompletionRecord record);

    /** Moves as many completions as there is room for. */
    abstract void collect(CollectedCompletions room);

    /** Drops all completions, except that each operation's last one is handed over. */
    abstract void discard(Consumer<? super Completion> rest);

    /**
     * Sees to it that the last completion of an operation needs no memory: otherwise the operation could never end.
     *
     * @throws OutOfMemoryError if there is no memory for it
     */
    final void reserve() {
        if (spares == reserved) {
            makeMoreOrClose(null);
        }
        reserved++;
    }

    /** Undoes {@link #reserve}, for an operation that does not begin after all. */
    final void reserveNot() {
        reserved--;
    }

    /**
     * Appends a completion.
     *
     * @param operation that it is of
     * @param result    its result
     * @param resource  what it brings, or null; a connection or a file is closed if this throws
     * @param isLast    whether the operation is over; for this, a record has been reserved
     * @throws OutOfMemoryError if there is no memory for another record
     */
    final void add(NativeOperation operation, long result, Object resource, boolean isLast) {
        if (isLast) {
            reserved--;
        } else if (spares == reserved) {
            makeMoreOrClose(resource);
        }
        CompletionRecord record = spare;
        spare = record.next;
        spares--;
        record.next = null;
        record.fill(operation, result, resource, isLast);
        add(record);
    }

    private void makeMoreOrClose(Object resource) {
        try {
            makeMore();
        } catch (OutOfMemoryError e) {
            if (spares == reserved) {
                CompletionRecord.close(resource);
                throw e;
            }
        }
    }

    private void makeMore() {
        for (int more = Math.max(FEWEST_RECORDS, made); more > 0; more--) {
            giveBack(newRecord());
            made++;
        }
    }

    /** {@return a record, unless there is no memory for it} */
    CompletionRecord newRecord() {
        return new CompletionRecord();
    }

    final void giveBack(CompletionRecord record) {
        record.next = spare;
        spare = record;
        spares++;
    }

    /** Moves a record that is no longer linked to another one. */
    final void handOver(CompletionRecord record, CollectedCompletions batch) {
        CompletionRecord spent = batch.add(record);
        if (spent != null) {
            giveBack(spent);
        }
        record.collectedBy(batch);
    }

    /** Drops a record, which its caller then removes from its line: if this throws, it is dropped later. */
    static void discard(CompletionRecord record, Consumer<? super Completion> rest) {
        if (record.isLast()) {
            rest.accept(record);
        } else {
            record.closeUntaken();
        }
        record.end();
    }
}
