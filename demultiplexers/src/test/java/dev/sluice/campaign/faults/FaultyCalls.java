package dev.sluice.campaign.faults;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Memory;
import dev.sluice.calls.Platform;
import dev.sluice.calls.layout.EpollConstants;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.handle.ScarceMemory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.TreeMap;

/**
 * A binding that counts its calls, and has one {@link Fault} happen. Calls go by the names of their functions, where it
 * matters together with what is asked for.
 */
final class FaultyCalls {

    /** Number of bytes that go through an eventfd; nothing else here is read or written by so few. */
    private static final long EVENT_BYTES = 8;

    private final Binding binding;
    private final Memory memory;
    private final boolean isWindows;
    private final Readiness readiness;
    private final RingRequests requests;

    // Guarded by this
    private final Map<String, Integer> counts = new TreeMap<>();
    private Fault fault;
    private boolean healed;
    private long total;
    private int struck;

    FaultyCalls(Binding real) {
        memory = real.memory();
        isWindows = real.os() == Platform.Os.WINDOWS;
        readiness = new Readiness(memory);
        requests = new RingRequests(memory, this::next);
        Memory scarce = new ScarceMemory(memory, () -> next("allocate") != null);
        Binding decorated = real.decorated("faulty", this::decorate);
        binding = isWindows
                ? new Binding(decorated.name(), real.os(), scarce, null, null, null, decorated.windows())
                : new Binding(decorated.name(), real.os(), scarce, decorated.posix(), decorated.linux(), null, null);
    }

    Binding binding() {
        return binding;
    }

    /** Counts from zero again, and has the fault happen, or none if it is null. */
    synchronized void begin(Fault planned) {
        counts.clear();
        total = 0;
        struck = 0;
        fault = planned;
        healed = false;
    }

    /** From now on nothing goes wrong, and no call is counted that could. */
    synchronized void heal() {
        fault = null;
        healed = true;
    }

    synchronized Map<String, Integer> counts() {
        return new TreeMap<>(counts);
    }

    /** {@return the number of calls} */
    synchronized long total() {
        return total;
    }

    /** {@return how often the fault has happened} */
    synchronized int struck() {
        return struck;
    }

    /** Counts a call. {@return the injected of this call, or null} */
    private synchronized InjectedError next(String call) {
        if (healed) {
            return null;
        }
        int count = counts.merge(call, 1, Integer::sum);
        if (fault == null || !fault.strikes(call, count)) {
            return null;
        }
        struck++;
        return fault.injected();
    }

    private <T> T decorate(Class<T> family, T real) {
        InvocationHandler handler = (proxy, method, arguments) -> call(real, method, arguments);
        return family.cast(Proxy.newProxyInstance(family.getClassLoader(), new Class<?>[] {family}, handler));
    }

    private Object call(Object real, Method method, Object[] arguments) throws Throwable {
        synchronized (this) {
            total++;
        }
        InjectedError injected = next(name(method.getName(), arguments));
        if (!isWindows) {
            readiness.before(method.getName(), arguments);
        }
        requests.before(method.getName(), arguments);
        Object result;
        if (injected == null) {
            result = proceed(real, method, arguments);
        } else {
            switch (injected.kind()) {
                case FAILS -> {
                    return failure(method, injected);
                }
                case FAILS_AFTERWARDS -> {
                    Object honest = proceed(real, method, arguments);
                    result = isFailure(honest) ? honest : failure(method, injected);
                }
                case SHORT -> {
                    shorten(method.getName(), arguments);
                    result = proceed(real, method, arguments);
                }
                case SPURIOUS -> result = readiness.spurious(method.getName(), arguments,
                        () -> (Integer) proceed(real, method, arguments));
                default -> throw new IllegalStateException(injected + " of " + method.getName());
            }
        }
        requests.after(method.getName(), arguments, result);
        return result;
    }

    private static String name(String function, Object[] arguments) {
        return switch (function) {
            case "epoll_ctl" -> function + switch ((Integer) arguments[1]) {
                case EpollConstants.EPOLL_CTL_ADD -> " ADD";
                case EpollConstants.EPOLL_CTL_MOD -> " MOD";
                default -> " DEL";
            };
            case "fcntl" -> function + ((Integer) arguments[1] == FileConstants.F_SETPIPE_SZ ? " SETPIPE_SZ"
                    : (Integer) arguments[1] == FileConstants.F_SETFL ? " SETFL" : " GETFD");
            case "read", "write" -> (Long) arguments[2] == EVENT_BYTES ? "eventfd_" + function : function;
            default -> function;
        };
    }

    private static boolean isFailure(Object result) {
        return ((Number) result).longValue() < 0;
    }

    private static Object failure(Method method, InjectedError injected) {
        return method.getReturnType() == int.class ? (Object) (int) injected.result() : (Object) injected.result();
    }

    private static Object proceed(Object real, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Cuts what the call moves, before it is made, since what has been moved is gone. */
    private static void shorten(String function, Object[] arguments) {
        switch (function) {
            case "recv", "send", "pread", "pwrite", "read", "write", "ReadFile", "WriteFile" ->
                    arguments[2] = arguments[2] instanceof Long length ? Math.min(1, length)
                            : (Object) Math.min(1, (Integer) arguments[2]);
            case "preadv", "pwritev", "preadv2", "pwritev2", "readv", "writev", "WSARecv", "WSASend" ->
                    arguments[2] = 1;
            case "sendfile" -> arguments[3] = Math.min(1, (Long) arguments[3]);
            case "io_uring_enter" -> {
                // A call that cannot submit all entries returns without waiting.
                arguments[1] = (Integer) arguments[1] / 2;
                arguments[2] = 0;
            }
            default -> throw new IllegalStateException(function + " moves nothing");
        }
    }
}
