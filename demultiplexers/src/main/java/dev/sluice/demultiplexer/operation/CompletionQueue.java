package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.Completion;
import java.util.ArrayList;
import java.util.function.Consumer;

/**
 * The papers' completion event queue: first in, first out, except that the completions of a handle that a batch holds
 * wait in a line of their own until the batch releases the handle. Its records are filled when an operation completes,
 * handed to a batch in exchange for one that is no longer used, and filled again. Used inside.
 *
 * <p>Where several threads collect, a batch holds each handle whose completions it gets. After the release, the next
 * batch that collects takes hold of the handle, unless another completion has arrived earlier than the first of the
 * handle: a handle that always has more would otherwise keep all others waiting. Where one thread collects, a batch
 * holds only the handles whose hooks run the loop, and while there is none, lines are not looked at.
 */
class CompletionQueue {

    private static final int MIN_RECORDS = 64;

    /** Whether a batch holds each handle whose completions it gets, because several threads collect. */
    private final boolean holdsWhatItHandsOut;

    private CompletionRecord spare;
    private int spares;
    private int made;
    /** Number of spare records that are reserved for the last completions of operations in flight. */
    private int reserved;

    // The common line, of the completions not known to belong to a held handle
    private CompletionRecord first;
    private CompletionRecord last;
    private CompletionLine firstReleased;
    private CompletionLine lastReleased;
    /**
     * The batches that hold handles. Its capacity is given: without one, {@code ensureCapacity} reserves no places for
     * the first ten.
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

    /** {@return whether several threads collect from it, and a batch holds each handle whose completions it gets} */
    final boolean holdsWhatItHandsOut() {
        return holdsWhatItHandsOut;
    }

    /** {@return whether there is nothing to be collected} */
    final boolean isEmpty() {
        return first == null && firstReleased == null;
    }

    /** {@return the number of completions that have arrived} */
    final long arrivals() {
        return arrivals;
    }

    /** {@return the line of the completion's handle, or null} */
    static CompletionLine line(CompletionRecord record) {
        HandleAssociation association = record.association;
        return association == null ? null : association.completions;
    }

    // Adding

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
    final void cancelReservation() {
        reserved--;
    }

    /**
     * Appends a completion.
     *
     * @param operation that it is of
     * @param result    its result
     * @param resource  the resource that it returns, or null; a connection or a file is closed if this throws
     * @param isLast    whether the operation is over; for this, a record has been reserved
     * @throws OutOfMemoryError if there is no memory for another record
     */
    final void add(OperationSlot operation, long result, Object resource, boolean isLast) {
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

    private void add(CompletionRecord record) {
        record.arrival = arrivals++;
        if (!holdsWhatItHandsOut && holders.isEmpty()) {
            append(record);
            return;
        }
        CompletionLine line = line(record);
        if (line != null && line.holder != null && line.arrived == 0) {
            // No thread needs to be woken up for what only the holder will get.
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
            last.next = record;
        }
        last = record;
    }

    /** Where one thread collects, a handle that is held has no completions in the common line. */
    private void countArrived(CompletionLine line, int more) {
        if (holdsWhatItHandsOut && line != null) {
            line.arrived += more;
        }
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
        for (int more = Math.max(MIN_RECORDS, made); more > 0; more--) {
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

    // Collecting

    /** Moves completions to a batch until it is full or there are no more. */
    final void collect(CollectedCompletions batch) {
        if (!holdsWhatItHandsOut) {
            while (first != null && !batch.isFull()) {
                handOver(removeFirst(), batch);
            }
            return;
        }
        // First of all, because it may fail for lack of memory.
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
        return firstReleased != null && (first == null || firstReleased.first().arrival < first.arrival);
    }

    private CompletionRecord removeFirst() {
        CompletionRecord record = first;
        first = record.next;
        record.next = null;
        if (first == null) {
            // What has been dropped must not stay reachable.
            last = null;
        }
        return record;
    }

    /** Completions for which the batch has no space stay with the holder. */
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
        // A line that waits for a new holder has earlier ones.
        if (line.holder == null && line.isEmpty()) {
            takeHold(line, batch);
        }
        if (line.holder == batch) {
            handOver(record, batch);
        } else {
            line.append(record);
        }
    }

    /** Moves a record that is no longer linked to another one. */
    private void handOver(CompletionRecord record, CollectedCompletions batch) {
        CompletionRecord spent = batch.add(record);
        if (spent != null) {
            giveBack(spent);
        }
        record.collectedBy(batch);
    }

    // Holding

    /**
     * Lets a batch hold a handle, so that no batch gets further completions of it. For a queue from which one thread
     * collects.
     *
     * @param line  of a handle that is not held
     * @param batch that has one of its completions
     * @throws OutOfMemoryError if there is no memory for it, and nothing has changed
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

    /** Ends {@link #hold}: what the handle has is collected first, in order. */
    final void release(CompletionLine line) {
        CollectedCompletions batch = line.holder;
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

    /** Releases all handles that a closed batch holds, and takes back its records. */
    final void close(CollectedCompletions batch) {
        release(batch);
        batch.giveBackRecords(this);
    }

    /** Puts all of a line ahead of the common line. */
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
            lastReleased.nextReleased = line;
        }
        lastReleased = line;
    }

    private CompletionLine takeReleased() {
        CompletionLine line = firstReleased;
        firstReleased = line.nextReleased;
        line.nextReleased = null;
        return line;
    }

    // The end

    /** Drops all completions, also those of held handles, except that each operation's last one is handed over. */
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
            discard(line.first(), rest);
            line.removeFirst();
        }
    }

    /** Drops a record, which its caller then removes from its line: if this throws, it is dropped later. */
    private static void discard(CompletionRecord record, Consumer<? super Completion> rest) {
        if (record.isLast()) {
            rest.accept(record);
        } else {
            record.closeUnclaimed();
        }
        record.end();
    }
}
