package dev.sluice.signal;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Dispatches the signals of the process to the event loops and pools that have subscribed to them. The disposition of a
 * signal belongs to the whole process, so only this class changes it, and restores it when the last subscription ends.
 * All methods may be called from any thread.
 *
 * <p>It uses the virtual machine's signal thread: a native handler would have to run Java code inside a signal handler,
 * and {@code signalfd} requires that the signal is blocked in all threads of the process.
 */
public final class SignalDispatch {

    private static final Map<String, SignalDispatch> ACTIVE = new HashMap<>();

    private final List<Runnable> receivers = new CopyOnWriteArrayList<>();
    private Object before;

    private SignalDispatch() {
    }

    /**
     * Subscribes to a signal.
     *
     * @param signal   the name, without SIG
     * @param receiver run by a thread of the virtual machine, so it must not block
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
            // Before the handler is set, because a signal may arrive immediately.
            dispatch.receivers.add(receiver);
            dispatch.before = VirtualMachineSignals.handle(signal,
                    VirtualMachineSignals.handler(() -> dispatch.receivers.forEach(Runnable::run)));
            ACTIVE.put(signal, dispatch);
        }
    }

    /** Ends a subscription. Does nothing if it has already ended. */
    public static void unsubscribe(String signal, Runnable receiver) {
        synchronized (ACTIVE) {
            SignalDispatch dispatch = ACTIVE.get(signal);
            if (dispatch == null || !dispatch.receivers.contains(receiver)) {
                return;
            }
            if (dispatch.receivers.size() == 1) {
                // Before the last receiver is removed, because a signal in between would have no effect.
                VirtualMachineSignals.handle(signal, dispatch.before);
                ACTIVE.remove(signal);
            }
            dispatch.receivers.remove(receiver);
        }
    }
}
