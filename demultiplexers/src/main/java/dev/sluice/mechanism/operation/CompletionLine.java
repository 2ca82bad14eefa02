package dev.sluice.mechanism.operation;

/**
 * Completions one behind the other: all of a {@link SoleCompletionQueue}, or those of one handle in a
 * {@link SharedCompletionQueue}, where somebody may hold them. Used inside.
 */
final class CompletionLine {

    private CompletionRecord first;
    private CompletionRecord last;

    /** How many of the handle's completions are still among those that nobody keeps. */
    int arrived;

    /** Who has got the handle's completions before these, and keeps these from all others; null if nobody does. */
    HoldingCompletions holder;
    /** The line that the holder took hold of before this one. */
    CompletionLine nextHeld;
    /** The line that was released after this one, while both wait for the next holder. */
    CompletionLine nextReleased;

    boolean isEmpty() {
        return first == null;
    }

    void append(CompletionRecord record) {
        if (first == null) {
            first = record;
        } else {
            last.next = record;
        }
        last = record;
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
