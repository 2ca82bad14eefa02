package dev.sluice.reactor;

import dev.sluice.demultiplexer.Interest;
import java.util.Objects;

/** An Adapter that forwards all hooks to the method of a {@link SingleMethodHandler}. */
final class SingleMethodAdapter implements EventHandler {

    private final SingleMethodHandler target;

    /**
     * Creates an adapter.
     *
     * @param target the function
     */
    SingleMethodAdapter(SingleMethodHandler target) {
        this.target = Objects.requireNonNull(target, "target");
    }

    @Override
    public void handleInput(Registration registration) throws Exception {
        target.handleEvent(registration, Interest.READ);
    }

    @Override
    public void handleOutput(Registration registration) throws Exception {
        target.handleEvent(registration, Interest.WRITE);
    }

    @Override
    public void handleException(Registration registration) throws Exception {
        target.handleEvent(registration, Interest.EXCEPTION);
    }

    @Override
    public void handleClose(Registration registration) throws Exception {
        target.handleEvent(registration, Interest.NONE);
    }

    @Override
    public String toString() {
        return "adapter of " + target;
    }
}
