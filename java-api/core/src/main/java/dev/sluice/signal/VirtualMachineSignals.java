package dev.sluice.signal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code sun.misc.Signal}, the only access to signals that the virtual machine offers. Used by reflection, because
 * direct use causes a compiler warning that cannot be suppressed.
 */
final class VirtualMachineSignals {

    private static final Logger LOG = LoggerFactory.getLogger(VirtualMachineSignals.class);

    /** The class with which Java starts child processes. */
    private static final String PROCESSES = "java.lang.ProcessImpl";

    private VirtualMachineSignals() {
    }

    /**
     * Lets Java make now the change of disposition that it would otherwise make later, over the head of a handler. When
     * the class with which it starts child processes is initialized, which usually is when the first one starts, that
     * class resets {@code SIGCHLD} to the default action: if the signal were ignored, the exit status of children would
     * be lost. It does so only once.
     *
     * @param signal the name of the one for which a handler is about to be set
     */
    static void settle(String signal) {
        if (!signal.equals("CHLD")) {
            return;
        }
        try {
            Class.forName(PROCESSES, true, null);
        } catch (ClassNotFoundException | LinkageError e) {
            // Then this Java starts processes in some other way, or cannot start any. Nothing resets the signal here.
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
