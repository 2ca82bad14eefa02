package dev.sluice.handle;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Memory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A binding between the library and the real one, which counts the calls of each C function and injects planned faults.
 * Used from {@link #install()} to {@link #close()} for everything opened in between: a handle keeps the binding it was
 * opened with. After the close, calls on such a handle have no faults.
 *
 * <p>Functions have their C names; {@code n} counts from 1, starting with the next call. All methods may be called by
 * any thread.
 */
public final class FaultInjection implements AutoCloseable {

    private final Map<String, FaultyFunction> functions = new ConcurrentHashMap<>();
    private final Binding previous;

    private FaultInjection(Binding real) {
        previous = real;
    }

    /**
     * Decorates the binding in use.
     *
     * @return the fault injection; the caller closes it
     */
    public static FaultInjection install() {
        Binding real = Bindings.current();
        FaultInjection faults = new FaultInjection(real);
        Bindings.use(real.decorated(real.name(), new Binding.Decorator() {
            @Override
            public <T> T decorate(Class<T> family, T calls) {
                return faults.decorate(family, calls, real.memory());
            }
        }));
        return faults;
    }

    private <T> T decorate(Class<T> family, T real, Memory memory) {
        for (Method method : family.getMethods()) {
            // Two families may have a function of the same name; the first one is used.
            functions.putIfAbsent(method.getName(), new FaultyFunction(method, memory));
        }
        InvocationHandler handler = (proxy, method, arguments) -> {
            FaultyFunction function = functions.get(method.getName());
            return function == null ? reflect(real, method, arguments) : function.call(real, arguments);
        };
        return family.cast(Proxy.newProxyInstance(family.getClassLoader(), new Class<?>[] {family}, handler));
    }

    static Object reflect(Object real, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** The n-th call returns the error without calling the function. */
    public FaultInjection failNth(String function, int n, Errno error) {
        function(function).plan(n, call -> call.fail(error));
        return this;
    }

    /**
     * The n-th call returns the result without calling the function: an error with the number of a particular system.
     */
    public FaultInjection returnNth(String function, int n, long result) {
        function(function).plan(n, call -> call.give(result));
        return this;
    }

    /** Each call returns the result without calling the function. */
    public FaultInjection returnEach(String function, long result) {
        function(function).plan(FaultyFunction.EACH, call -> call.give(result));
        return this;
    }

    /** Each call returns the error without calling the function. */
    public FaultInjection failEach(String function, Errno error) {
        function(function).plan(FaultyFunction.EACH, call -> call.fail(error));
        return this;
    }

    /** The n-th call throws without calling the function, as a broken binding may. */
    public FaultInjection throwNth(String function, int n, Throwable failure) {
        function(function).plan(n, call -> {
            throw failure;
        });
        return this;
    }

    /**
     * The n-th call calls the function, but returns the error nevertheless, as {@code close} and {@code connect} may.
     */
    public FaultInjection failAfterNth(String function, int n, Errno error) {
        function(function).plan(n, call -> {
            call.proceed();
            return call.fail(error);
        });
        return this;
    }

    /**
     * Limits the n-th call to the given number of bytes, for functions that take a buffer, a vector or a message; or of
     * messages, for those that take several.
     */
    public FaultInjection shortenNth(String function, int n, int bytes) {
        function(function).plan(n, call -> call.proceedWithAtMost(bytes));
        return this;
    }

    /** Limits each call to the given number of bytes or messages, like {@link #shortenNth}. */
    public FaultInjection shortenEach(String function, int bytes) {
        function(function).plan(FaultyFunction.EACH, call -> call.proceedWithAtMost(bytes));
        return this;
    }

    /** Before each call the calling thread runs the action, which may block. */
    public FaultInjection before(String function, Runnable action) {
        function(function).plan(FaultyFunction.EACH, call -> {
            action.run();
            return call.proceed();
        });
        return this;
    }

    /** Before the n-th call the calling thread runs the action, which may block. */
    public FaultInjection beforeNth(String function, int n, Runnable action) {
        function(function).plan(n, call -> {
            action.run();
            return call.proceed();
        });
        return this;
    }

    /** {@return how often the function has been called, including injected faults} */
    public int calls(String function) {
        return function(function).calls();
    }

    /** {@return the number of calls of all functions, including injected faults} */
    public long calls() {
        return functions.values().stream().mapToLong(FaultyFunction::calls).sum();
    }

    /** Removes all planned faults. */
    public void heal() {
        functions.values().forEach(FaultyFunction::heal);
    }

    private FaultyFunction function(String name) {
        FaultyFunction function = functions.get(name);
        if (function == null) {
            throw new IllegalArgumentException("no function " + name + " among " + Arrays.toString(
                    functions.keySet().stream().sorted().toArray()));
        }
        return function;
    }

    @Override
    public void close() {
        heal();
        Bindings.use(previous);
    }
}
