package dev.sluice.demultiplexers.operation;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.Completions;
import java.util.function.Consumer;

/** The queue that one thread collects from: first in, first out. */
final class LoopCompletionQueue extends CompletionQueue {

    private CompletionRecord first;
    private CompletionRecord last;

    @Override
    boolean isEmpty() {
        return first == null;
    }

    @Override
    void add(CompletionRecord record) {
        if (first == null) {
            first = record;
        } else {
            last.next = record;
        }
        last = record;
    }

    private CompletionRecord removeFirst() {
        CompletionRecord record = first;
        first = record.next;
        record.next = null;
        return record;
    }

    @Override
    void collect(Completions completions) {
        CollectedCompletions batch = (CollectedCompletions) completions;
        while (first != null && !batch.isFull()) {
            handOver(removeFirst(), batch);
        }
    }

    @Override
    void discard(Consumer<? super Completion> rest) {
        while (first != null) {
            discard(removeFirst(), rest);
        }
        last = null;
    }
}
