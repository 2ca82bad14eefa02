package dev.sluice.leaderfollowers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;

/** A source whose first wake-ups the system refuses. */
final class RefusingSource implements EventSource {

    private final EventSource source;
    private final AtomicInteger refusals = new AtomicInteger();
    private final AtomicInteger closes = new AtomicInteger();

    RefusingSource(EventSource source) {
        this.source = source;
    }

    /** From now on so many wake-ups are refused. */
    void refuse(int count) {
        refusals.set(count);
    }

    int closes() {
        return closes.get();
    }

    @Override
    public boolean isConcurrent() {
        return source.isConcurrent();
    }

    @Override
    public Waiter newWaiter() {
        return source.newWaiter();
    }

    @Override
    public void wakeUp() {
        if (refusals.getAndUpdate(left -> Math.max(left - 1, 0)) > 0) {
            throw new UncheckedIOException(new IOException("refused on purpose"));
        }
        source.wakeUp();
    }

    @Override
    public void close() {
        closes.incrementAndGet();
        source.close();
    }
}
