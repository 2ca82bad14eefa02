package dev.sluice.samples.soak;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.MemoryBlock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Something small that a server loses on purpose, to see whether that is noticed. */
enum Leak {

    /** A byte of heap for each receive. */
    HEAP {
        @Override
        void received(long count) {
            if (count % PIECE == 0) {
                synchronized (LOST) {
                    LOST.add(new byte[PIECE]);
                }
            }
        }
    },
    /** A byte of native memory for each receive. */
    NATIVE {
        @Override
        void received(long count) {
            if (count % PIECE == 0) {
                MemoryBlock lost = Bindings.current().memory().allocate(PIECE);
                synchronized (LOST) {
                    LOST.add(lost.address());
                }
            }
        }
    },
    /** A descriptor for each thousand connections. */
    DESCRIPTOR {
        @Override
        void accepted(long count) {
            if (count % CONNECTIONS == 0) {
                Bindings.current().linux().eventfd(0, 0);
            }
        }
    };

    /** System property that names one. */
    static final String PROPERTY = "sluice.soak.leak";

    private static final int PIECE = 1024;
    private static final int CONNECTIONS = 1000;
    private static final List<Object> LOST = new ArrayList<>();

    private final AtomicLong receives = new AtomicLong();
    private final AtomicLong accepts = new AtomicLong();

    void received(long count) {
    }

    void accepted(long count) {
    }

    /** Decorates the binding that the process is going to use. */
    void install() {
        Binding real = Bindings.current();
        Bindings.use(real.decorated(real.name(), this::leaking));
    }

    private <T> T leaking(Class<T> family, T calls) {
        return family.cast(Proxy.newProxyInstance(family.getClassLoader(), new Class<?>[] {family},
                (proxy, method, arguments) -> call(calls, method, arguments)));
    }

    private Object call(Object calls, Method method, Object[] arguments) throws Throwable {
        Object result;
        try {
            result = method.invoke(calls, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        if (result instanceof Number number && number.longValue() > 0) {
            switch (method.getName()) {
                case "recv" -> received(receives.incrementAndGet());
                case "accept", "accept4" -> accepted(accepts.incrementAndGet());
                default -> { }
            }
        }
        return result;
    }
}
