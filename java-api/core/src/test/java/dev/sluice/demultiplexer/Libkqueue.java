package dev.sluice.demultiplexer;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.KqueueLibrary;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Differences between libkqueue and a kernel that affect an {@link Inventory}: it keeps some descriptors that it opens
 * with its first queue, and it closes those inside a queue in a separate thread, soon after the queue itself.
 */
final class Libkqueue {

    private static final AtomicBoolean WARM = new AtomicBoolean();

    private Libkqueue() {
    }

    static boolean isUsed() {
        return KqueueLibrary.file().isPresent();
    }

    /** {@return whether this demultiplexer is based on libkqueue} */
    static boolean isBehind(String demultiplexer) {
        return isUsed() && demultiplexer.startsWith("kqueue");
    }

    /** Lets libkqueue open the descriptors that it keeps. */
    static void warmUp() {
        if (isUsed() && WARM.compareAndSet(false, true)) {
            Bindings.current().bsd().kqueue();
        }
    }
}
