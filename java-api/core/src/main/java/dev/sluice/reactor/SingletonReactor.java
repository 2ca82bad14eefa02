package dev.sluice.reactor;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Opens a reactor when it is first asked for, and again once that is closed; if the system refuses, the next who asks
 * has it tried again.
 */
final class SingletonReactor {

    private volatile Reactor opened;

    /** As {@link Reactor#instance()}. */
    Reactor get() {
        Reactor known = opened;
        return isUsable(known) ? known : open();
    }

    private synchronized Reactor open() {
        if (!isUsable(opened)) {
            try {
                opened = Reactor.open();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return opened;
    }

    private static boolean isUsable(Reactor reactor) {
        return reactor != null && reactor.isOpen();
    }
}
