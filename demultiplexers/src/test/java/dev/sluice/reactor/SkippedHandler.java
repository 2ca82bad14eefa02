package dev.sluice.reactor;

import dev.sluice.handle.Handle;
import java.util.concurrent.atomic.AtomicInteger;

/** A handler that ends before its turn comes, because an earlier one of the same handle still has a hook running. */
public final class SkippedHandler extends OneHandleHandler {

    /** More than a stack has room for, if each were to end the next one. */
    public static final int MANY = 30_000;

    private final Handle handle;
    private final AtomicInteger closes;

    /** Counts the handlers whose handleClose has been called. */
    public SkippedHandler(Handle handle, AtomicInteger closes) {
        this.handle = handle;
        this.closes = closes;
    }

    @Override
    public Handle handle() {
        return handle;
    }

    @Override
    public void handleClose(Registration registration) {
        closes.incrementAndGet();
    }
}
