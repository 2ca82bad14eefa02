package dev.sluice.handle.spi;

import dev.sluice.handle.Handle;

/** Called when a handle is being closed, while the descriptor still exists, in order to release the descriptor. */
@FunctionalInterface
public interface CloseListener {

    /**
     * Called once, by the thread that closes the handle, before the descriptor is released. New calls on the handle are
     * already rejected at that time. Must not throw; if it does, the handle is closed anyway.
     */
    void handleClosing(Handle handle);
}
