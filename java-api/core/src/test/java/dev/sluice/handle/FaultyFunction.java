package dev.sluice.handle;

import dev.sluice.calls.Errno;
import dev.sluice.calls.Memory;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** One C function under {@link FaultInjection}: the number of its calls, and the planned faults. */
final class FaultyFunction {

    /** In place of a number: every call. */
    static final int EACH = 0;

    private static final int ERROR_IO_DEVICE = 1117;

    /** The effect on a call. */
    @FunctionalInterface
    interface Fault {
        Object decide(Call call) throws Throwable;
    }

    private record Plan(int number, Fault fault) {
    }

    private final Method method;
    private final Memory memory;
    private final AtomicInteger calls = new AtomicInteger();
    private final List<Plan> plans = new CopyOnWriteArrayList<>();

    FaultyFunction(Method method, Memory memory) {
        this.method = method;
        this.memory = memory;
    }

    void plan(int n, Fault fault) {
        plans.add(new Plan(n == EACH ? EACH : calls.get() + n, fault));
    }

    int calls() {
        return calls.get();
    }

    void heal() {
        plans.clear();
    }

    Object call(Object real, Object[] arguments) throws Throwable {
        int number = calls.incrementAndGet();
        Call call = new Call(real, arguments);
        for (Plan plan : plans) {
            if (plan.number() == EACH || plan.number() == number) {
                return plan.fault().decide(call);
            }
        }
        return call.proceed();
    }

    /** A call to the real binding, in progress. */
    final class Call {

        private final Object real;
        private final Object[] arguments;

        private Call(Object real, Object[] arguments) {
            this.real = real;
            this.arguments = arguments;
        }

        Object proceed() throws Throwable {
            return FaultInjection.reflect(real, method, arguments);
        }

        Object fail(Errno error) {
            return give(-(method.getDeclaringClass() == Windows.class ? numberOnWindows(error) : error.number()));
        }

        /** {@return a Windows error number for the error} */
        private static int numberOnWindows(Errno error) {
            return switch (error) {
                case ENOMEM -> WindowsError.ERROR_NOT_ENOUGH_MEMORY;
                case EMFILE -> WindowsError.WSAEMFILE;
                case EBADF -> WindowsError.ERROR_INVALID_HANDLE;
                case EACCES -> WindowsError.ERROR_ACCESS_DENIED;
                case EINVAL -> WindowsError.WSAEINVAL;
                case ENOBUFS -> WindowsError.WSAENOBUFS;
                case EIO -> ERROR_IO_DEVICE;
                default -> throw new IllegalArgumentException("no number of Windows for " + error);
            };
        }

        Object give(long result) {
            if (method.getReturnType() == int.class) {
                return Math.toIntExact(result);
            }
            return result;
        }

        Object proceedWithAtMost(int bytes) throws Throwable {
            switch (method.getName()) {
                case "recvmmsg", "sendmmsg" -> {
                    arguments[2] = Math.min((Integer) arguments[2], bytes);
                    return proceed();
                }
                case "recv", "send", "recvfrom", "sendto", "read", "write", "pread", "pwrite" -> {
                    arguments[2] = Math.min((Long) arguments[2], bytes);
                    return proceed();
                }
                case "sendfile" -> {
                    arguments[3] = Math.min((Long) arguments[3], bytes);
                    return proceed();
                }
                case "readv", "writev", "preadv", "pwritev", "preadv2", "pwritev2" -> {
                    long address = (Long) arguments[1];
                    try (ShortVector vector = new ShortVector(memory, address, (Integer) arguments[2], bytes)) {
                        arguments[2] = vector.count();
                        return proceed();
                    }
                }
                case "recvmsg", "sendmsg" -> {
                    try (ShortMessage message = new ShortMessage(memory, (Long) arguments[1], bytes)) {
                        arguments[1] = message.address();
                        return proceed();
                    }
                }
                default -> throw new IllegalArgumentException(method.getName() + " moves no bytes");
            }
        }
    }
}
