package dev.sluice.proactor;

import dev.sluice.demultiplexer.Completion;
import java.util.Objects;

/** An Adapter that gives every completion to the one method of a {@link SingleMethodCompletionHandler}. */
final class SingleMethodCompletionAdapter implements CompletionHandler {

    private final SingleMethodCompletionHandler target;

    /**
     * Adapts a function.
     *
     * @param target the function
     */
    SingleMethodCompletionAdapter(SingleMethodCompletionHandler target) {
        this.target = Objects.requireNonNull(target, "target");
    }

    @Override
    public void handleCompletion(Completion completion) throws Exception {
        target.handleEvent(completion);
    }

    @Override
    public String toString() {
        return "adapter of " + target;
    }
}
