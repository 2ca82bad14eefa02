package dev.sluice.connection;

import dev.sluice.demultiplexer.Intercepted;
import dev.sluice.reactor.Dispatcher;
import java.util.concurrent.atomic.AtomicReference;

/** Makes a dispatcher that once lacks what it takes to call the first hook of a handle. */
final class OutOfMemoryDispatcher {

    private OutOfMemoryDispatcher() {
    }

    /** {@return the same dispatcher, except that the first look at its table throws} */
    static Dispatcher of(Dispatcher real, Error lack) {
        AtomicReference<Error> next = new AtomicReference<>(lack);
        return Intercepted.before(Dispatcher.class, real, "handlerTable", () -> {
            Error thrown = next.getAndSet(null);
            if (thrown != null) {
                throw thrown;
            }
        });
    }
}
