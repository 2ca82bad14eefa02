package dev.sluice.demultiplexer.iocp;

import dev.sluice.demultiplexer.operation.CancellationQueue;
import dev.sluice.demultiplexer.operation.OperationSlot;

/**
 * Operations whose call the system did not find when asked to cancel it, although no packet has come for it. Either the
 * packet is on its way, or the call is between two steps of its own, as when sending a file to a socket, and might go
 * on forever. So the system is asked again until the packet has come. Used only inside, except for {@link #bound}.
 */
final class UnheardCancels {

    private static final long PAUSE_NANOS = 1_000_000;

    private final CancellationQueue operations = new CancellationQueue();
    private int count;
    private volatile boolean exist;

    void add(OperationSlot operation) {
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

    void repeat(OverlappedCalls calls) {
        if (!exist) {
            return;
        }
        for (int left = count; left > 0; left--) {
            OperationSlot operation = operations.poll();
            count--;
            // By now it may have been started again, as something else.
            if (operation.execution() instanceof OverlappedRequest request && request.isToEnd()
                    && !calls.tryToCancel(request)) {
                add(operation);
            }
        }
        exist = !operations.isEmpty();
    }
}
