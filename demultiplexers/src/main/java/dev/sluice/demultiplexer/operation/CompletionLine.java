package dev.sluice.demultiplexer.operation;

import org.jspecify.annotations.Nullable;

/**
 * The completions in a {@link CompletionQueue} of one handle that a batch holds or has released. The completions of all
 * other handles are in a common line. Used inside.
 */
final class CompletionLine {

    private @Nullable CompletionRecord first;
    private @Nullable CompletionRecord last;

    /** The number of the handle's completions in the common line; 0 if one thread collects. */
    int arrived;

    /** The batch that holds the handle, and has its earlier completions; null if there is none. */
    @Nullable CollectedCompletions holder;
    /** The line that the holder took hold of before this one. */
    @Nullable CompletionLine nextHeld;
    /** The line that was released after this one, while both wait for a new holder. */
    @Nullable CompletionLine nextReleased;

    boolean isEmpty() {
        return first == null;
    }

    /** {@return the first completion; null if the line is empty} */
    @Nullable CompletionRecord first() {
        return first;
    }

    /** {@return the last completion of a line that is not empty} */
    CompletionRecord last() {
        assert last != null;
        return last;
    }

    void append(CompletionRecord record) {
        if (first == null) {
            first = record;
        } else {
            assert last != null;
            last.next = record;
        }
        last = record;
    }

    /** {@return the first completion, which is linked to the others; the line is empty afterwards} */
    @Nullable CompletionRecord removeAll() {
        CompletionRecord all = first;
        first = null;
        last = null;
        return all;
    }

    CompletionRecord removeFirst() {
        CompletionRecord record = first;
        assert record != null;
        first = record.next;
        record.next = null;
        if (first == null) {
            last = null;
        }
        return record;
    }
}
