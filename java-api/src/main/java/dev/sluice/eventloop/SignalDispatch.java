package dev.sluice.eventloop;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Hands the signals of the process on to the event loops that asked for them. The disposition of a signal belongs to
 * the whole process, so this is the one place that changes it, and restores it when the last loop loses interest.
 *
 * <p>It goes through the virtual machine's own signal thread: a native handler of our own would have to run Java code
 * inside a signal handler, and {@code signalfd} needs the signal to be blocked in every thread of the process.
 */
final class SignalDispatch {

    private static final Map<OsSignal, SignalDispatch> ACTIVE = new EnumMap<>(OsSignal.class);

    private final List<Runnable> receivers = new CopyOnWriteArrayList<>();
    private Object before;

    private SignalDispatch() {
    }

    static void subscribe(OsSignal signal, Runnable receiver) {
        synchronized (ACTIVE) {
            SignalDispatch dispatch = ACTIVE.get(signal);
            if (dispatch == null) {
                VirtualMachineSignals.settle(signal);
                dispatch = new SignalDispatch();
                SignalDispatch receiving = dispatch;
                dispatch.before = VirtualMachineSignals.handle(signal,
                        VirtualMachineSignals.handler(() -> receiving.receivers.forEach(Runnable::run)));
                ACTIVE.put(signal, dispatch);
            }
            dispatch.receivers.add(receiver);
        }
    }

    static void unsubscribe(OsSignal signal, Runnable receiver) {
        synchronized (ACTIVE) {
            SignalDispatch dispatch = ACTIVE.get(signal);
            if (dispatch != null && dispatch.receivers.remove(receiver) && dispatch.receivers.isEmpty()) {
                VirtualMachineSignals.handle(signal, dispatch.before);
                ACTIVE.remove(signal);
            }
        }
    }
}
