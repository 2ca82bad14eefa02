package dev.sluice.reactor;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.Handle;
import java.io.IOException;

/** A handler of one handle that keeps its registration, so that a test can change it outside of its hooks. */
public abstract class OneHandleHandler implements EventHandler {

    private volatile Registration registration;

    /** For subclasses. */
    protected OneHandleHandler() {
    }

    /** {@return the handle that it is to be registered with} */
    public abstract Handle handle();

    /** Registers it. */
    public final Registration register(Dispatcher dispatcher, Interest interest) throws IOException {
        Registration made = dispatcher.register(handle(), interest, this);
        registration = made;
        return made;
    }

    /** {@return whether it is registered} */
    public final boolean isRegistered() {
        Registration last = registration;
        return last != null && last.isOpen();
    }

    /** {@return its last registration} */
    public final Registration registration() {
        return registration;
    }

    @Override
    public void handleInput(Registration ready) throws Exception {
        throw new UnsupportedOperationException(this + " does not override handleInput");
    }

    /** Notes a registration that is known to a hook before {@link #register} has returned it to another thread. */
    public final void note(Registration known) {
        registration = known;
    }
}
