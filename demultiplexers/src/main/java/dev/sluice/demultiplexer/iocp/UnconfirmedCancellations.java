package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.demultiplexer.operation.CancellationQueue;
import dev.sluice.demultiplexer.operation.OperationSlot;

/**
 * Cancels overlapped calls, which still end with a packet, and keeps the operations whose call the system did not find
 * although its packet has not arrived. Either the packet is in flight, or the call is between two of its steps, as when
 * sending a file to a socket, and might continue forever. So the cancellation is repeated until the packet has arrived.
 * Used only inside, except for {@link #bound}.
 */
final class UnconfirmedCancellations {

    private static final long PAUSE_NANOS = 1_000_000;

    private final Windows windows;
    private final Runnable signal;
    private final CancellationQueue operations = new CancellationQueue();
    private int count;
    private volatile boolean exist;

    /**
     * Creates an empty instance.
     *
     * @param signal ends a wait, which after a cancellation may be too long
     */
    UnconfirmedCancellations(Windows windows, Runnable signal) {
        this.windows = windows;
        this.signal = signal;
    }

    /** Cancels a call, repeatedly until the system has found it. */
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

    /** {@return the timeout, or if that is shorter, the time until a cancellation must be repeated} */
    long bound(long timeoutNanos) {
        return exist && (timeoutNanos < 0 || timeoutNanos > PAUSE_NANOS) ? PAUSE_NANOS : timeoutNanos;
    }

    /** Repeats the cancellations of calls that the system has not found. */
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
