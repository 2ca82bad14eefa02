package dev.sluice.mechanism.operation;

import dev.sluice.demultiplexer.Completions;

/** Completions whose provided buffers go back when the next ones come, unless they have been kept. */
public class CollectedCompletions extends Completions {

    /**
     * Makes room.
     *
     * @param capacity the most completions that one wait collects, at least 1
     */
    public CollectedCompletions(int capacity) {
        super(capacity);
    }

    @Override
    public void clear() {
        for (int i = 0; i < size(); i++) {
            if (buffer(i) instanceof PooledBuffer buffer) {
                buffer.dispatched(this);
            }
        }
        super.clear();
    }
}
