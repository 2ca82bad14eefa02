package dev.sluice.demultiplexer;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** A binding whose n-th call fails with {@code EMFILE}, or throws; closing is not counted. */
final class FailingCalls {

    private static final Set<String> CLOSING = Set.of("close", "closesocket", "CloseHandle");

    /** The error code of the native API of Windows. */
    private static final int STATUS_TOO_MANY_OPENED_FILES = 0xc000011f;

    private final Binding binding;
    private final AtomicInteger left;
    private final Error thrown;

    FailingCalls(Binding real, int number) {
        this(real, number, null);
    }

    /** Throws an error, as a binding does that lacks heap or stack for a call. */
    FailingCalls(Binding real, int number, Error thrown) {
        this.thrown = thrown;
        left = new AtomicInteger(number);
        binding = real.decorated("failing", this::failing);
    }

    private <T> T failing(Class<T> family, T real) {
        return family.cast(Proxy.newProxyInstance(family.getClassLoader(), new Class<?>[] {family},
                (proxy, method, arguments) -> call(real, method, arguments)));
    }

    private Object call(Object real, Method method, Object[] arguments) throws Throwable {
        if (!CLOSING.contains(method.getName()) && left.decrementAndGet() == 0) {
            if (thrown != null) {
                throw thrown;
            }
            int result = real instanceof Windows ? windowsFailure(method) : -Errno.EMFILE.number();
            return method.getReturnType() == long.class ? (Object) (long) result : (Object) result;
        }
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static int windowsFailure(Method method) {
        return method.getName().startsWith("Nt") ? STATUS_TOO_MANY_OPENED_FILES : -WindowsError.WSAEMFILE;
    }

    Binding binding() {
        return binding;
    }

    /** Stops failing calls. Returns whether a call has failed. */
    boolean stop() {
        return left.getAndSet(0) <= 0;
    }
}
