package dev.sluice.demultiplexer;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Creates objects that run code of a test before their methods are called. */
public final class Intercepted {

    /** Runs before a call, and may throw instead of it. */
    @FunctionalInterface
    public interface Interception {

        void run() throws Throwable;
    }

    private Intercepted() {
    }

    /**
     * {@return an object that delegates to the real one}
     *
     * @param type   an interface
     * @param real   the real one
     * @param method the name of the method whose calls are intercepted
     * @param before the code that runs before each call
     */
    public static <T> T before(Class<T> type, T real, String method, Interception before) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (proxy, called, arguments) -> {
                    if (called.getName().equals(method)) {
                        before.run();
                    }
                    try {
                        return called.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
