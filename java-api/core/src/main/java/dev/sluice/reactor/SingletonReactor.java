package dev.sluice.reactor;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Opens a reactor when it is first asked for, and again once that is closed; if the system refuses, the next who asks
 * has it tried again.
 */
final class SingletonReactor {

    private volatile @Nullable Reactor opened;

    /** As {@link Reactor#instance()}. */
    Reactor get() {
        Reactor known = opened;
        return known != null && known.isOpen() ? known : open();
    }

    private synchronized Reactor open() {
        Reactor known = opened;
        if (known == null || !known.isOpen()) {
            try {
                known = Reactor.open();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            opened = known;
        }
        return known;
    }
}
