package dev.sluice.demultiplexer;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Makes objects that do something of a test's before they are called. */
public final class Intercepted {

    /** What is done before a call, instead of which it may throw. */
    @FunctionalInterface
    public interface Interception {

        void run() throws Throwable;
    }

    private Intercepted() {
    }

    /**
     * {@return an object that does the same as the real one}
     *
     * @param type   an interface
     * @param real   the real one
     * @param method whose calls come after the interception, unless that throws
     * @param before the interception
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
