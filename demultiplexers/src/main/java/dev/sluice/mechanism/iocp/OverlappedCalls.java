package dev.sluice.mechanism.iocp;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.mechanism.operation.Outcomes;

/**
 * Makes the overlapped calls of operations, one after the other, and ends those that are to be cancelled, whatever
 * their kind. Used only inside, except for {@link #bound}.
 */
final class OverlappedCalls implements AutoCloseable {

    /** How many calls of one operation may complete at once before others get their turn. */
    private static final int CALLS_PER_TURN = 8;

    private final Outcomes outcomes;
    private final Windows windows;
    private final ExtensionFunctions extensions;
    private final CompletionPort port;
    private final Runnable signal;
    private final OverlappedPool blocks;
    private final UnheardCancels unheardCancels = new UnheardCancels();

    /**
     * Makes this for the calls of a binding.
     *
     * @param outcomes is told the outcomes of the operations
     * @param port     the port at which their packets arrive
     * @param signal   ends a wait, which after a cancellation may be too long
     */
    OverlappedCalls(Outcomes outcomes, Binding binding, ExtensionFunctions extensions, CompletionPort port,
            Runnable signal) {
        this.outcomes = outcomes;
        this.windows = binding.windows();
        this.extensions = extensions;
        this.port = port;
        this.signal = signal;
        this.blocks = new OverlappedPool(binding.memory());
    }

    Outcomes outcomes() {
        return outcomes;
    }

    Windows windows() {
        return windows;
    }

    ExtensionFunctions extensions() {
        return extensions;
    }

    /** Makes the first call of an operation, and any further ones that can be made now. */
    void begin(OverlappedRequest request, IocpOperation operation) {
        operation.reset();
        operation.block = blocks.lend(operation);
        proceed(request, operation);
    }

    /** {@return the operation whose call a packet ends, found by the address in the packet; null if it is over} */
    IocpOperation operation(long overlapped) {
        return blocks.at(overlapped).borrower();
    }

    /** Goes on with an operation for which a packet has come. */
    void goOn(OverlappedRequest request, IocpOperation operation, long transferred) {
        operation.pending = false;
        operation.failedAtOnce = false;
        boolean yielded = operation.yielding;
        operation.yielding = false;
        if (yielded || request.completed(operation, request.result(operation, transferred))) {
            proceed(request, operation);
        }
    }

    /** Makes calls until one goes on in the background, or the operation has completed. */
    private void proceed(OverlappedRequest request, IocpOperation operation) {
        do {
            if (!makeCalls(request, operation)) {
                return;
            }
        } while (!yields(operation));
    }

    /** {@return whether it goes on with another call} */
    private static boolean makeCalls(OverlappedRequest request, IocpOperation operation) {
        for (int i = 0; i < CALLS_PER_TURN; i++) {
            if (operation.isCancelRequested()) {
                return request.finish(operation, -Errno.ECANCELED.number());
            }
            if (!request.prepare(operation)) {
                request.letGo(operation);
                return false;
            }
            operation.block.clear(request.position(operation));
            long result = request.call(operation);
            if (result == OverlappedRequest.PENDING) {
                operation.pending = true;
                return false;
            }
            operation.failedAtOnce = result < 0;
            if (!request.completed(operation, result)) {
                return false;
            }
        }
        return true;
    }

    /** {@return whether it goes on once others have had their turn; otherwise it must go on at once} */
    private boolean yields(IocpOperation operation) {
        if (!port.tryToPost(operation.block.address())) {
            return false;
        }
        operation.yielding = true;
        operation.pending = true;
        return true;
    }

    /** Takes back what the calls of an operation needed. */
    void release(IocpOperation operation) {
        if (operation.failedAtOnce) {
            blocks.giveBackAfterFailure(operation.block);
        } else {
            blocks.giveBack(operation.block);
        }
        operation.failedAtOnce = false;
        operation.block = null;
    }

    // Cancelling

    /**
     * Asks the system to end an operation's call, again and again until it takes notice; the call still ends with a
     * packet.
     */
    void cancel(IocpOperation operation) {
        if (!tryToCancel(operation)) {
            unheardCancels.add(operation);
            // A waiting thread would wait too long.
            signal.run();
        }
    }

    /** {@return whether the system has found the call, and so will end it} */
    boolean tryToCancel(IocpOperation operation) {
        int result = windows.CancelIoEx(operation.association().descriptor(), operation.block.address());
        return result != -WindowsError.ERROR_NOT_FOUND;
    }

    /** {@return the timeout, or if that is shorter, the time until {@link #repeatCancels} is due} */
    long bound(long timeoutNanos) {
        return unheardCancels.bound(timeoutNanos);
    }

    /** Repeats the cancellations that the system has not taken notice of. */
    void repeatCancels() {
        unheardCancels.repeat(this);
    }

    /** Frees the memory that the system writes to; none of the calls may still be going on. */
    @Override
    public void close() {
        blocks.close();
    }
}
