package dev.sluice.leaderfollowers;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Checks that at most one thread at a time waits on an iterative source. */
final class ExclusiveSource implements EventSource {

    private final EventSource source;
    private final AtomicBoolean occupied = new AtomicBoolean();

    ExclusiveSource(EventSource source) {
        this.source = source;
    }

    @Override
    public boolean isConcurrent() {
        return source.isConcurrent();
    }

    @Override
    public Waiter newWaiter() {
        Waiter waiter = source.newWaiter();
        return new Waiter() {
            @Override
            public PendingEvent await(long timeoutNanos) throws IOException {
                if (!occupied.compareAndSet(false, true)) {
                    throw new IllegalStateException("two leaders");
                }
                try {
                    return waiter.await(timeoutNanos);
                } finally {
                    occupied.set(false);
                }
            }

            @Override
            public void close() {
                waiter.close();
            }
        };
    }

    @Override
    public void wakeUp() {
        source.wakeUp();
    }

    @Override
    public void close() {
        source.close();
    }
}
