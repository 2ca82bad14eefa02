package dev.sluice.mechanism.operation;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.Completions;
import java.util.function.Consumer;

/** The queue that one thread collects from: first in, first out. */
final class SoleCompletionQueue extends CompletionQueue {

    private final CompletionLine line = new CompletionLine();

    @Override
    boolean isEmpty() {
        return line.isEmpty();
    }

    @Override
    void add(CompletionRecord record) {
        line.append(record);
    }

    @Override
    void collect(Completions completions) {
        CollectedCompletions batch = (CollectedCompletions) completions;
        while (!line.isEmpty() && !batch.isFull()) {
            handOver(line.removeFirst(), batch);
        }
    }

    @Override
    void discard(Consumer<? super Completion> rest) {
        while (!line.isEmpty()) {
            discard(line.removeFirst(), rest);
        }
    }
}
