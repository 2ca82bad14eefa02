package dev.sluice.demultiplexer;

import dev.sluice.calls.Binding;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A binding that lets a test run code right before or after a system call, in the calling thread. Another thread would
 * rarely hit that moment.
 */
final class InterceptedCalls {

    /** Calls that wait for readiness. */
    static final Set<String> WAITS = Set.of("select", "poll", "epoll_wait", "kevent", "io_uring_enter", "WSAPoll",
            "WaitForMultipleObjects", "GetQueuedCompletionStatusEx");

    private final Binding binding;
    private final AtomicReference<Interception> before = new AtomicReference<>();
    private final AtomicReference<Interception> after = new AtomicReference<>();

    /** Runs once. */
    interface Action {
        void run() throws IOException;
    }

    private record Interception(Set<String> calls, Action action) {
    }

    InterceptedCalls(Binding real) {
        binding = real.decorated("intercepted", this::intercepted);
    }

    private <T> T intercepted(Class<T> family, T real) {
        return family.cast(Proxy.newProxyInstance(family.getClassLoader(), new Class<?>[] {family},
                (proxy, method, arguments) -> call(real, method, arguments)));
    }

    private Object call(Object real, Method method, Object[] arguments) throws Throwable {
        act(before, method.getName());
        Object result;
        try {
            result = method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        act(after, method.getName());
        return result;
    }

    private static void act(AtomicReference<Interception> slot, String call) throws IOException {
        Interception interception = slot.get();
        if (interception != null && interception.calls.contains(call) && slot.compareAndSet(interception, null)) {
            interception.action.run();
        }
    }

    Binding binding() {
        return binding;
    }

    /** Acts before the next of these calls. */
    void before(Set<String> calls, Action action) {
        before.set(new Interception(calls, action));
    }

    /** Acts after the next of these calls, before its caller sees the result. */
    void after(Set<String> calls, Action action) {
        after.set(new Interception(calls, action));
    }
}
