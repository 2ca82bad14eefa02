package dev.sluice.mechanism.operation;

import dev.sluice.demultiplexer.Completion;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The queue from which one thread collects: first in, first out, except for the completions of handles whose hooks run
 * the loop. These wait in lines of their own.
 */
final class SoleCompletionQueue extends CompletionQueue {

    private final CompletionLine arrived = new CompletionLine();
    /** As many as there are hooks that run the loop, which is hardly ever one. */
    private final List<CompletionLine> withheld = new ArrayList<>();

    @Override
    boolean isEmpty() {
        return arrived.isEmpty();
    }

    @Override
    void add(CompletionRecord record) {
        CompletionLine own = withheld.isEmpty() ? null : line(record);
        (own == null || own.holder == null ? arrived : own).append(record);
    }

    @Override
    void collect(CollectedCompletions room) {
        while (!arrived.isEmpty() && !room.isFull()) {
            handOver(arrived.removeFirst(), room);
        }
    }

    void withhold(CompletionLine line, CollectedCompletions room) {
        // What may fail for lack of memory comes first.
        CompletionLine all = new CompletionLine();
        withheld.add(line);
        line.holder = room;
        all.prepend(arrived);
        while (!all.isEmpty()) {
            add(all.removeFirst());
        }
    }

    void release(CompletionLine line) {
        line.holder = null;
        withheld.remove(line);
        arrived.prepend(line);
    }

    /** Also drops what is withheld. */
    @Override
    void discard(Consumer<? super Completion> rest) {
        for (int i = 0; i < withheld.size(); i++) {
            discard(withheld.get(i), rest);
        }
        discard(arrived, rest);
    }

    private static void discard(CompletionLine line, Consumer<? super Completion> rest) {
        while (!line.isEmpty()) {
            discard(line.first(), rest);
            line.removeFirst();
        }
    }
}
