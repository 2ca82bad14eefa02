package dev.sluice.mechanism.operation;

import dev.sluice.demultiplexer.Completion;
import java.util.function.Consumer;

/** The queue from which one thread collects: first in, first out. */
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
    void collect(CollectedCompletions room) {
        while (!line.isEmpty() && !room.isFull()) {
            handOver(line.removeFirst(), room);
        }
    }

    @Override
    void discard(Consumer<? super Completion> rest) {
        while (!line.isEmpty()) {
            discard(line.removeFirst(), rest);
        }
    }
}
