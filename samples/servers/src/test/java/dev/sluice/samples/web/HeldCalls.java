package dev.sluice.samples.web;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.Semaphore;

/**
 * A system in which certain calls wait until they are allowed, so that threads that make them are busy for as long as a
 * test wants. For servers of this JVM that are started from now on, until the close.
 */
final class HeldCalls implements AutoCloseable {

    /** The thread of the control address, over which the test looks at the server. */
    private static final String EXCEPTED = "configurator";
    private static final int MANY = 1 << 30;

    private final Set<String> names;
    private final Binding previous = Bindings.current();
    private final Semaphore allowed = new Semaphore(0);
    private volatile boolean over;

    /** Holds the functions of these names. */
    HeldCalls(String... names) {
        this.names = Set.of(names);
        Bindings.use(previous.decorated(previous.name(), new Binding.Decorator() {
            @Override
            public <T> T decorate(Class<T> family, T calls) {
                return family.cast(Proxy.newProxyInstance(family.getClassLoader(), new Class<?>[] {family},
                        (proxy, method, arguments) -> call(calls, method, arguments)));
            }
        }));
    }

    private Object call(Object calls, Method method, Object[] arguments) throws Throwable {
        if (!over && names.contains(method.getName())
                && !Thread.currentThread().getName().contains(EXCEPTED)) {
            allowed.acquireUninterruptibly();
        }
        try {
            return method.invoke(calls, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Lets so many calls through, besides those that were allowed before. */
    void release(int calls) {
        allowed.release(calls);
    }

    /** Lets all calls through. */
    void release() {
        over = true;
        allowed.release(MANY);
    }

    @Override
    public void close() {
        if (!over) {
            release();
        }
        Bindings.use(previous);
    }
}
