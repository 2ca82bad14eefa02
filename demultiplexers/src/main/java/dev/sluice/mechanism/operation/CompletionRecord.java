package dev.sluice.mechanism.operation;

import dev.sluice.demultiplexer.Completion;

/** A completion on its way through a {@link CompletionQueue}, where records lead to one another. Inside. */
final class CompletionRecord extends Completion {

    /** The one behind it in its queue or line, or among the spare ones. */
    CompletionRecord next;
    private NativeOperation operation;

    void set(NativeOperation of, long result, Object resource, boolean isLast) {
        operation = of;
        fill(of, result, resource, isLast);
    }

    HandleAssociation handleAssociation() {
        return (HandleAssociation) association();
    }

    /** The provided buffer it brings goes back with the batch that brings it. */
    void collectedBy(CollectedCompletions batch) {
        if (buffer() instanceof PooledBuffer buffer) {
            buffer.broughtBy(batch);
        }
        end();
    }

    /** It is on its way to whoever takes it; if it is the last one, the operation is over. */
    void end() {
        NativeOperation ended = operation;
        operation = null;
        if (isLast()) {
            ended.collected();
        }
    }
}
