package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.demultiplexer.operation.CancellationQueue;
import dev.sluice.demultiplexer.operation.OperationSlot;

/**
 * Cancels overlapped calls, for each of which a packet still arrives, and keeps the operations whose call the system
 * has not found. Either the packet is already queued, or the call is between two of its steps, as when it sends a file
 * to a socket, and might continue forever. So the cancellation is repeated until the packet has arrived. Used only
 * inside, except for {@link #bound}.
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
     * @param signal ends a wait, whose timeout may be too long after a cancellation
     */
    UnconfirmedCancellations(Windows windows, Runnable signal) {
        this.windows = windows;
        this.signal = signal;
    }

    /** Cancels a call. If the system does not find it, the cancellation is repeated. */
    void cancel(OverlappedRequest<?> request) {
        if (!tryToCancel(request)) {
            add(request.operation);
            // A thread that waits without a timeout would not repeat the cancellation.
            signal.run();
        }
    }

    /** {@return whether the system has found the call, which it then ends} */
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

    /** {@return whether a cancellation must be repeated} */
    boolean exist() {
        return exist;
    }

    /** {@return the timeout, limited to the time until a cancellation must be repeated} */
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
            assert operation != null;
            count--;
            // The operation may have been started again, as one of another kind.
            if (operation.execution() instanceof OverlappedRequest<?> request && request.isToEnd()
                    && !tryToCancel(request)) {
                add(operation);
            }
        }
        exist = !operations.isEmpty();
    }
}
