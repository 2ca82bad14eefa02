package dev.sluice.reactor;

import dev.sluice.handle.Handle;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A handler that is removed before its turn comes, because an earlier one of the same handle still has a hook running.
 *
 * @param handle the handle
 * @param closes the number of such handlers whose handleClose has been called
 */
public record SkippedHandler(Handle handle, AtomicInteger closes) implements EventHandler {

    /** More than a stack has room for, if each were to end the next one. */
    public static final int MANY = 30_000;

    @Override
    public void handleClose(Handle closed, int events) {
        closes.incrementAndGet();
    }
}
