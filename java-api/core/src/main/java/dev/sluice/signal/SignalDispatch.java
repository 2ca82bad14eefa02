package dev.sluice.signal;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Hands the signals of the process on to the event loops and pools that asked for them. The disposition of a signal
 * belongs to the whole process, so this is the one place that changes it, and restores it when the last of them loses
 * interest. May be used by any thread.
 *
 * <p>It goes through the virtual machine's own signal thread: a native handler of our own would have to run Java code
 * inside a signal handler, and {@code signalfd} needs the signal to be blocked in every thread of the process.
 */
public final class SignalDispatch {

    private static final Map<String, SignalDispatch> ACTIVE = new HashMap<>();

    private final List<Runnable> receivers = new CopyOnWriteArrayList<>();
    private Object before;

    private SignalDispatch() {
    }

    /**
     * Begins to hand on a signal.
     *
     * @param signal   its name, without SIG
     * @param receiver run by the virtual machine's own thread, so it must not block
     * @throws UnsupportedOperationException if the virtual machine does not let programs handle the signal
     */
    public static void subscribe(String signal, Runnable receiver) {
        synchronized (ACTIVE) {
            SignalDispatch active = ACTIVE.get(signal);
            if (active != null) {
                active.receivers.add(receiver);
                return;
            }
            VirtualMachineSignals.settle(signal);
            SignalDispatch dispatch = new SignalDispatch();
            // Before the handler is set: otherwise a signal that arrives immediately would reach no receiver.
            dispatch.receivers.add(receiver);
            dispatch.before = VirtualMachineSignals.handle(signal,
                    VirtualMachineSignals.handler(() -> dispatch.receivers.forEach(Runnable::run)));
            ACTIVE.put(signal, dispatch);
        }
    }

    /** Undoes {@link #subscribe}. Does nothing if it has been undone. */
    public static void unsubscribe(String signal, Runnable receiver) {
        synchronized (ACTIVE) {
            SignalDispatch dispatch = ACTIVE.get(signal);
            if (dispatch == null || !dispatch.receivers.contains(receiver)) {
                return;
            }
            if (dispatch.receivers.size() == 1) {
                // Before the last receiver is removed: otherwise a signal in between would have no effect at all.
                VirtualMachineSignals.handle(signal, dispatch.before);
                ACTIVE.remove(signal);
            }
            dispatch.receivers.remove(receiver);
        }
    }
}
