package dev.sluice.demultiplexer.iocp;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.demultiplexer.operation.Outcomes;

/**
 * What overlapped calls have in common, whatever their kind: where they are made, the structures they use, and their
 * end if they are to be cancelled. Used only inside, except for {@link #bound}.
 */
final class OverlappedCalls implements AutoCloseable {

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

    /** {@return the structures of calls} */
    OverlappedPool blocks() {
        return blocks;
    }

    /** {@return whose call a packet ends, found by the address in the packet; null if it is over} */
    OverlappedRequest request(long overlapped) {
        return blocks.at(overlapped).borrower();
    }

    /** {@return whether a packet will come for a block without any call} */
    boolean tryToPost(OverlappedPool.Block block) {
        return port.tryToPost(block.address());
    }

    // Cancelling

    /**
     * Asks the system to end a call, again and again until it takes notice; the call still ends with a packet.
     */
    void cancel(OverlappedRequest request) {
        if (!tryToCancel(request)) {
            unheardCancels.add(request.operation());
            // A waiting thread would wait too long.
            signal.run();
        }
    }

    /** {@return whether the system has found the call, and so will end it} */
    boolean tryToCancel(OverlappedRequest request) {
        int result = windows.CancelIoEx(request.association().descriptor(), request.block().address());
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
