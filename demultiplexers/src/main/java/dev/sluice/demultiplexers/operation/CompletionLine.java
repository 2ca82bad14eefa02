package dev.sluice.demultiplexers.operation;

/** Completions of a {@link SharedCompletionQueue}, one behind the other; mostly those of one handle. Inside. */
final class CompletionLine {

    static final int NONE = -1;

    /** The places of its first and its last one. */
    int first = NONE;
    int last = NONE;

    /** How many of the handle's completions are still among those that nobody keeps. */
    int arrived;

    /** Who has got the handle's completions before these, and keeps these from all others; null if nobody does. */
    HoldingCompletions holder;
    /** The line that the holder took hold of before this one. */
    CompletionLine nextHeld;
    /** The line that was released after this one, while both wait for the next holder. */
    CompletionLine nextReleased;

    boolean isEmpty() {
        return first == NONE;
    }
}
