package dev.sluice.signal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Access to {@code sun.misc.Signal}, the only interface to signals that the virtual machine has. Uses reflection,
 * because direct use causes a compiler warning that cannot be suppressed.
 */
final class VirtualMachineSignals {

    private static final Logger LOG = LoggerFactory.getLogger(VirtualMachineSignals.class);

    /** The class that starts child processes in Java. */
    private static final String PROCESSES = "java.lang.ProcessImpl";

    private VirtualMachineSignals() {
    }

    /**
     * Makes Java change the disposition of a signal now, before it would replace a handler. When the class that starts
     * child processes is initialized, usually when the first one starts, it resets {@code SIGCHLD} to the default
     * action, because the exit status of children would be lost if the signal were ignored. It does so only once.
     *
     * @param signal the name of the signal whose handler is about to be set
     */
    static void settle(String signal) {
        if (!signal.equals("CHLD")) {
            return;
        }
        try {
            Class.forName(PROCESSES, true, null);
        } catch (ClassNotFoundException | LinkageError e) {
            // This Java starts processes in another way, or cannot start any, so it does not reset the signal.
            LOG.debug("{} cannot be initialized", PROCESSES, e);
        }
    }

    /** {@return a signal handler that runs the action} */
    static Object handler(Runnable action) {
        Class<?> type = type("sun.misc.SignalHandler");
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) ->
                switch (method.getName()) {
                    case "handle" -> {
                        action.run();
                        yield null;
                    }
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(action);
                    default -> "handler of signals";
                });
    }

    /** Sets the handler of a signal, and returns the previous one. */
    static Object handle(String signal, Object handler) {
        try {
            Class<?> type = type("sun.misc.Signal");
            Object vmSignal = type.getConstructor(String.class).newInstance(signal);
            return type.getMethod("handle", type, type("sun.misc.SignalHandler")).invoke(null, vmSignal, handler);
        } catch (InvocationTargetException e) {
            throw new UnsupportedOperationException("SIG" + signal
                    + " cannot be handled here (was Java started with -Xrs?): " + e.getCause().getMessage(), e);
        } catch (ReflectiveOperationException e) {
            throw new UnsupportedOperationException("SIG" + signal + " cannot be handled by this Java", e);
        }
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName(name, false, ClassLoader.getPlatformClassLoader());
        } catch (ClassNotFoundException e) {
            throw new UnsupportedOperationException("signals need the module jdk.unsupported", e);
        }
    }
}
