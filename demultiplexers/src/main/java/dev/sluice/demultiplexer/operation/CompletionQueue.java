package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.Completion;
import java.util.ArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The papers' completion event queue: first in, first out, except that the completions of a handle that a batch holds
 * are in a line of their own until the batch releases the handle. A record is filled when an operation completes,
 * handed to a batch in exchange for one that is no longer used, and filled again. Used inside.
 *
 * <p>If several threads collect, a batch holds each handle whose completions it gets. After the release, the next batch
 * that collects takes hold of the handle, unless another completion arrived before the first of the handle: a handle
 * that always has completions would otherwise exclude all others. If one thread collects, a batch holds only the
 * handles whose hooks run the loop, and as long as there are none, lines are not used.
 */
class CompletionQueue {

    private static final int MIN_RECORDS = 64;

    /** Whether a batch holds each handle whose completions it gets, because several threads collect. */
    private final boolean holdsWhatItHandsOut;

    private @Nullable CompletionRecord spare;
    private int spares;
    private int made;
    /** The number of spare records that are reserved for the last completions of operations in flight. */
    private int reserved;

    // The common line, with the completions of all handles that are not held
    private @Nullable CompletionRecord first;
    private @Nullable CompletionRecord last;
    private @Nullable CompletionLine firstReleased;
    private @Nullable CompletionLine lastReleased;
    /**
     * The batches that hold handles. With an explicit capacity: without one, {@code ensureCapacity} does not allocate
     * space for the first ten.
     */
    private final ArrayList<CollectedCompletions> holders = new ArrayList<>(1);
    private long arrivals;

    /**
     * Creates an empty queue.
     *
     * @param holdsWhatItHandsOut whether several threads collect from it
     */
    CompletionQueue(boolean holdsWhatItHandsOut) {
        this.holdsWhatItHandsOut = holdsWhatItHandsOut;
    }

    /** {@return whether several threads collect, so that a batch holds each handle whose completions it gets} */
    final boolean holdsWhatItHandsOut() {
        return holdsWhatItHandsOut;
    }

    /** {@return whether there are no completions to collect} */
    final boolean isEmpty() {
        return first == null && firstReleased == null;
    }

    /** {@return the number of completions that have arrived} */
    final long arrivals() {
        return arrivals;
    }

    /** {@return the line of the completion's handle, or null} */
    static @Nullable CompletionLine line(CompletionRecord record) {
        HandleAssociation association = record.association;
        return association == null ? null : association.completions;
    }

    // Adding

    /**
     * Reserves a record for the last completion of an operation, so that the operation can end without memory.
     *
     * @throws OutOfMemoryError if there is no memory for a record
     */
    final void reserve() {
        if (spares == reserved) {
            makeMoreOrClose(null);
        }
        reserved++;
    }

    /** Undoes {@link #reserve}, for an operation that is not accepted. */
    final void cancelReservation() {
        reserved--;
    }

    /**
     * Appends a completion.
     *
     * @param operation the operation that completes
     * @param result    its result
     * @param resource  the resource that the operation returns, or null; if this throws, a connection or a file is
     *                  closed, and a provided buffer released
     * @param isLast    whether the operation is over; a record has been reserved for its last completion
     * @throws OutOfMemoryError if there is no memory for another record
     */
    final void add(OperationSlot operation, long result, @Nullable Object resource, boolean isLast) {
        if (isLast) {
            reserved--;
        } else if (spares == reserved) {
            makeMoreOrClose(resource);
        }
        CompletionRecord record = spare;
        assert record != null;
        spare = record.next;
        spares--;
        record.next = null;
        record.fill(operation, result, resource, isLast);
        add(record);
    }

    private void add(CompletionRecord record) {
        record.arrival = arrivals++;
        if (!holdsWhatItHandsOut && holders.isEmpty()) {
            append(record);
            return;
        }
        CompletionLine line = line(record);
        if (line != null && line.holder != null && line.arrived == 0) {
            // Not in the common line, so that no thread is woken up for a completion that only the holder gets.
            line.append(record);
        } else {
            append(record);
            countArrived(line, 1);
        }
    }

    private void append(CompletionRecord record) {
        if (first == null) {
            first = record;
        } else {
            assert last != null;
            last.next = record;
        }
        last = record;
    }

    /** Counts completions in the common line. Not needed if one thread collects: then a held handle has none there. */
    private void countArrived(@Nullable CompletionLine line, int more) {
        if (holdsWhatItHandsOut && line != null) {
            line.arrived += more;
        }
    }

    private void makeMoreOrClose(@Nullable Object resource) {
        try {
            makeMore();
        } catch (OutOfMemoryError e) {
            if (spares == reserved) {
                if (resource instanceof PooledBuffer buffer) {
                    // No batch will get it, and release it.
                    buffer.release();
                } else {
                    CompletionRecord.close(resource);
                }
                throw e;
            }
        }
    }

    private void makeMore() {
        for (int more = Math.max(MIN_RECORDS, made); more > 0; more--) {
            recycle(newRecord());
            made++;
        }
    }

    /** {@return a new record; a test may override this to throw} */
    CompletionRecord newRecord() {
        return new CompletionRecord();
    }

    final void recycle(CompletionRecord record) {
        record.next = spare;
        spare = record;
        spares++;
    }

    // Collecting

    /** Moves completions to a batch until it is full or there are no more. */
    final void collect(CollectedCompletions batch) {
        if (!holdsWhatItHandsOut) {
            while (first != null && !batch.isFull()) {
                handOver(removeFirst(), batch);
            }
            return;
        }
        // First, because there may be no memory for it.
        holders.ensureCapacity(holders.size() + 1);
        while (!batch.isFull() && !isEmpty()) {
            if (isReleasedNext()) {
                collect(takeReleased(), batch);
            } else {
                collectArrived(batch);
            }
        }
    }

    private boolean isReleasedNext() {
        if (firstReleased == null) {
            return false;
        }
        CompletionRecord released = firstReleased.first();
        assert released != null;
        return first == null || released.arrival < first.arrival;
    }

    private CompletionRecord removeFirst() {
        CompletionRecord record = first;
        assert record != null;
        first = record.next;
        record.next = null;
        if (first == null) {
            // A record that has been dropped must not stay reachable.
            last = null;
        }
        return record;
    }

    /** Collects the completions of a line. Those for which the batch has no space stay in the line. */
    private void collect(CompletionLine line, CollectedCompletions batch) {
        takeHold(line, batch);
        while (!line.isEmpty() && !batch.isFull()) {
            handOver(line.removeFirst(), batch);
        }
    }

    private void collectArrived(CollectedCompletions batch) {
        CompletionRecord record = removeFirst();
        CompletionLine line = line(record);
        if (line == null) {
            handOver(record, batch);
            return;
        }
        countArrived(line, -1);
        // A line that waits for a new holder has earlier completions.
        if (line.holder == null && line.isEmpty()) {
            takeHold(line, batch);
        }
        if (line.holder == batch) {
            handOver(record, batch);
        } else {
            line.append(record);
        }
    }

    /** Moves a record, which is no longer linked, to a batch. */
    private void handOver(CompletionRecord record, CollectedCompletions batch) {
        CompletionRecord spent = batch.add(record);
        if (spent != null) {
            recycle(spent);
        }
        record.collectedBy(batch);
    }

    // Holding

    /**
     * Makes a batch hold a handle, so that no batch gets further completions of it. For a queue from which one thread
     * collects.
     *
     * @param line  the line of a handle that is not held
     * @param batch a batch that has a completion of the handle
     * @throws OutOfMemoryError if there is no memory for it; nothing has changed then
     */
    final void hold(CompletionLine line, CollectedCompletions batch) {
        takeHold(line, batch);
        CompletionRecord end = last;
        CompletionRecord record = null;
        while (record != end) {
            record = removeFirst();
            if (line(record) == line) {
                line.append(record);
            } else {
                append(record);
            }
        }
    }

    private void takeHold(CompletionLine line, CollectedCompletions batch) {
        if (batch.held == null) {
            holders.add(batch);
        }
        batch.hold(line);
    }

    /** Ends {@link #hold}: the completions of the handle are the next to be collected, in order. */
    final void release(CompletionLine line) {
        CollectedCompletions batch = line.holder;
        assert batch != null;
        batch.release(line);
        if (batch.held == null) {
            holders.remove(batch);
        }
        if (!holdsWhatItHandsOut) {
            prepend(line);
        } else if (!line.isEmpty()) {
            addReleased(line);
        }
    }

    /** Releases all handles that a batch holds. */
    final void release(CollectedCompletions batch) {
        while (batch.held != null) {
            release(batch.held);
        }
    }

    /** Releases all handles that a closed batch holds, and recycles its records. */
    final void close(CollectedCompletions batch) {
        release(batch);
        batch.recycleRecords(this);
    }

    /** Inserts all completions of a line at the head of the common line. */
    private void prepend(CompletionLine line) {
        if (!line.isEmpty()) {
            if (first == null) {
                last = line.last();
            }
            line.last().next = first;
            first = line.removeAll();
        }
    }

    private void addReleased(CompletionLine line) {
        if (firstReleased == null) {
            firstReleased = line;
        } else {
            assert lastReleased != null;
            lastReleased.nextReleased = line;
        }
        lastReleased = line;
    }

    private CompletionLine takeReleased() {
        CompletionLine line = firstReleased;
        assert line != null;
        firstReleased = line.nextReleased;
        line.nextReleased = null;
        return line;
    }

    // The end

    /**
     * Drops all completions, including those of held handles, but passes the last completion of each operation to a
     * consumer.
     */
    final void discard(Consumer<? super Completion> rest) {
        while (firstReleased != null) {
            discard(firstReleased, rest);
            takeReleased();
        }
        for (int i = 0; i < holders.size(); i++) {
            for (CompletionLine line = holders.get(i).held; line != null; line = line.nextHeld) {
                discard(line, rest);
            }
        }
        while (first != null) {
            CompletionLine own = line(first);
            discard(first, rest);
            removeFirst();
            countArrived(own, -1);
        }
    }

    private void discard(CompletionLine line, Consumer<? super Completion> rest) {
        while (!line.isEmpty()) {
            CompletionRecord record = line.first();
            assert record != null;
            discard(record, rest);
            line.removeFirst();
        }
    }

    /** Drops a record, which the caller then removes from its line: if this throws, the record is dropped later. */
    private static void discard(CompletionRecord record, Consumer<? super Completion> rest) {
        if (record.isLast()) {
            rest.accept(record);
        } else {
            record.closeUnclaimed();
        }
        record.end();
    }
}
