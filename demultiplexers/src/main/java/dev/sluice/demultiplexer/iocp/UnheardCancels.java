package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.demultiplexer.operation.CancellationQueue;
import dev.sluice.demultiplexer.operation.OperationSlot;

/**
 * Cancels overlapped calls, which still end with a packet, and keeps the operations whose call the system did not find
 * although no packet has come for it. Either the packet is on its way, or the call is between two steps of its own, as
 * when sending a file to a socket, and might go on forever. So the system is asked again until the packet has come.
 * Used only inside, except for {@link #bound}.
 */
final class UnheardCancels {

    private static final long PAUSE_NANOS = 1_000_000;

    private final Windows windows;
    private final Runnable signal;
    private final CancellationQueue operations = new CancellationQueue();
    private int count;
    private volatile boolean exist;

    /**
     * Makes it empty.
     *
     * @param signal ends a wait, which after a cancellation may be too long
     */
    UnheardCancels(Windows windows, Runnable signal) {
        this.windows = windows;
        this.signal = signal;
    }

    /** Asks the system to end a call, again and again until it takes notice. */
    void cancel(OverlappedRequest<?> request) {
        if (!tryToCancel(request)) {
            add(request.operation);
            // A waiting thread would wait too long.
            signal.run();
        }
    }

    /** {@return whether the system has found the call, and so will end it} */
    private boolean tryToCancel(OverlappedRequest<?> request) {
        int result = windows.CancelIoEx(request.association().descriptor(), request.block().address());
        return result != -WindowsError.ERROR_NOT_FOUND;
    }

    private void add(OperationSlot operation) {
        if (!operation.isToCancel()) {
            operations.add(operation);
            count++;
        }
        exist = true;
    }

    /** {@return the timeout, or if that is shorter, the time until the system must be asked again} */
    long bound(long timeoutNanos) {
        return exist && (timeoutNanos < 0 || timeoutNanos > PAUSE_NANOS) ? PAUSE_NANOS : timeoutNanos;
    }

    /** Repeats the cancellations that the system has not taken notice of. */
    void repeat() {
        if (!exist) {
            return;
        }
        for (int left = count; left > 0; left--) {
            OperationSlot operation = operations.poll();
            count--;
            // By now it may have been started again, as something else.
            if (operation.execution() instanceof OverlappedRequest<?> request && request.isToEnd()
                    && !tryToCancel(request)) {
                add(operation);
            }
        }
        exist = !operations.isEmpty();
    }
}
