package dev.sluice.reactor;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Opens the process-wide reactor when it is first asked for. */
final class SingletonReactor {

    static final Reactor INSTANCE = open();

    private SingletonReactor() {
    }

    private static Reactor open() {
        try {
            return Reactor.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
