package dev.sluice.reactor;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import java.util.Objects;

/** An Adapter that forwards every hook to the one method of a {@link SingleMethodHandler}. */
final class SingleMethodAdapter implements EventHandler {

    private final Handle handle;
    private final SingleMethodHandler target;

    /**
     * Adapts a function.
     *
     * @param handle the handle it stands for; on {@link EventType#CLOSE} it is the function that closes the handle
     * @param target the function
     */
    SingleMethodAdapter(Handle handle, SingleMethodHandler target) {
        this.handle = Objects.requireNonNull(handle, "handle");
        this.target = Objects.requireNonNull(target, "target");
    }

    @Override
    public Handle handle() {
        return handle;
    }

    @Override
    public void handleInput(Handle ready) throws Exception {
        target.handleEvent(ready, EventType.READ, null);
    }

    @Override
    public void handleOutput(Handle ready) throws Exception {
        target.handleEvent(ready, EventType.WRITE, null);
    }

    @Override
    public void handleException(Handle ready) throws Exception {
        target.handleEvent(ready, EventType.EXCEPTION, null);
    }

    @Override
    public void handleTimeout(Object token) throws Exception {
        target.handleEvent(handle, EventType.TIMEOUT, token);
    }

    @Override
    public void handleClose(Handle closed, int events) throws Exception {
        target.handleEvent(closed, EventType.CLOSE, null);
    }

    @Override
    public String toString() {
        return "handler of " + handle;
    }
}
