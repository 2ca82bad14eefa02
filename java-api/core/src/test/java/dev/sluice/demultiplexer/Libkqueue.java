package dev.sluice.demultiplexer;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.KqueueLibrary;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Where libkqueue does otherwise than a kernel with what a test takes stock of: it opens some descriptors with its
 * first queue and keeps them, and it closes what a queue has inside in a thread of its own, soon after the queue itself
 * is closed.
 */
final class Libkqueue {

    private static final AtomicBoolean WARM = new AtomicBoolean();

    private Libkqueue() {
    }

    static boolean isUsed() {
        return KqueueLibrary.file().isPresent();
    }

    /** {@return whether this demultiplexer works by it} */
    static boolean isBehind(String demultiplexer) {
        return isUsed() && demultiplexer.startsWith("kqueue");
    }

    /** Lets it open what it keeps. */
    static void warmUp() {
        if (isUsed() && WARM.compareAndSet(false, true)) {
            Bindings.current().bsd().kqueue();
        }
    }
}
