package dev.sluice.demultiplexer.operation;

/**
 * A line of completions in a {@link CompletionQueue}: those of one handle that a batch holds or has released, or the
 * common line of all others. Used inside.
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

    /** {@return the last one, null if there is none} */
    CompletionRecord last() {
        return last;
    }

    /** {@return when the first one arrived; there must be one} */
    long firstArrival() {
        return first.arrival;
    }

    void append(CompletionRecord record) {
        if (first == null) {
            first = record;
        } else {
            last.next = record;
        }
        last = record;
    }

    /** Puts all of another line ahead of this one. */
    void prepend(CompletionLine other) {
        if (other.first != null) {
            other.last.next = first;
            if (first == null) {
                last = other.last;
            }
            first = other.first;
            other.first = null;
            other.last = null;
        }
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
