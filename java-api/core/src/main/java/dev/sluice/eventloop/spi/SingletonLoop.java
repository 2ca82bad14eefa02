package dev.sluice.eventloop.spi;

import dev.sluice.eventloop.EventLoop;
import dev.sluice.eventloop.LoopBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * The papers' Singleton of a Reactor or a Proactor: opens an event loop at the first call, and another one at the first
 * call after that has been closed. If opening fails, the next call tries again.
 *
 * @param <L> the type of the loop
 */
public final class SingletonLoop<L extends EventLoop> {

    private final LoopBuilder<L> builder;
    private volatile @Nullable L opened;

    /**
     * Creates a singleton whose loop is not open yet.
     *
     * @param builder opens the event loop
     */
    public SingletonLoop(LoopBuilder<L> builder) {
        this.builder = builder;
    }

    /** {@return the event loop, which any caller may close} */
    public L get() {
        L known = opened;
        return known != null && known.isOpen() ? known : open();
    }

    private synchronized L open() {
        L known = opened;
        if (known == null || !known.isOpen()) {
            try {
                known = builder.open();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            opened = known;
        }
        return known;
    }
}
