package dev.sluice.connection;

import dev.sluice.reactor.Dispatcher;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicReference;

/** Makes a dispatcher that once lacks what it takes to call the first hook of a handle. */
final class PoorDispatcher {

    private PoorDispatcher() {
    }

    /** {@return the same dispatcher, except that the first {@link Dispatcher#callFirst} throws} */
    static Dispatcher of(Dispatcher real, Error lack) {
        AtomicReference<Error> next = new AtomicReference<>(lack);
        return (Dispatcher) Proxy.newProxyInstance(PoorDispatcher.class.getClassLoader(),
                new Class<?>[] {Dispatcher.class}, (proxy, method, arguments) -> {
                    Error thrown = method.getName().equals("callFirst") ? next.getAndSet(null) : null;
                    if (thrown != null) {
                        throw thrown;
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
