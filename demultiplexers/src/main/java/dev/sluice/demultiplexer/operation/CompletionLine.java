package dev.sluice.demultiplexer.operation;

/**
 * The completions in a {@link CompletionQueue} of one handle that a batch holds or has released. Those of all others
 * wait in a common line. Used inside.
 */
final class CompletionLine {

    private CompletionRecord first;
    private CompletionRecord last;

    /** Number of the handle's completions in the common line; 0 where one thread collects. */
    int arrived;

    /** The batch that has the handle's earlier completions and holds the handle; null if there is none. */
    CollectedCompletions holder;
    /** The line that the holder took before this one. */
    CompletionLine nextHeld;
    /** The line that was released after this one, while both wait for a new holder. */
    CompletionLine nextReleased;

    boolean isEmpty() {
        return first == null;
    }

    /** {@return the first one, null if there is none} */
    CompletionRecord first() {
        return first;
    }

    /** {@return the last one; there must be one} */
    CompletionRecord last() {
        return last;
    }

    void append(CompletionRecord record) {
        if (first == null) {
            first = record;
        } else {
            last.next = record;
        }
        last = record;
    }

    /** {@return the first one, from which links lead to the others; none is left here} */
    CompletionRecord removeAll() {
        CompletionRecord all = first;
        first = null;
        last = null;
        return all;
    }

    CompletionRecord removeFirst() {
        CompletionRecord record = first;
        first = record.next;
        record.next = null;
        if (first == null) {
            last = null;
        }
        return record;
    }
}
