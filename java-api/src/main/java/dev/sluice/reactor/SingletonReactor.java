package dev.sluice.reactor;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Opens a reactor when it is first asked for; if the system refuses, the next who asks has it tried again. */
final class SingletonReactor {

    private volatile Reactor opened;

    /** As {@link Reactor#instance()}. */
    Reactor get() {
        Reactor known = opened;
        return known == null ? open() : known;
    }

    private synchronized Reactor open() {
        if (opened == null) {
            try {
                opened = Reactor.open();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return opened;
    }
}
