package dev.sluice.mechanism.iouring;

import dev.sluice.mechanism.operation.NativeOperation;
import dev.sluice.mechanism.operation.OperationProcessor;
import dev.sluice.mechanism.operation.PooledBuffer;

/** An operation and what is known of its request in the kernel. Used by the loop thread. */
final class IoUringOperation extends NativeOperation {

    /** What it asks of the kernel; null if it has never been begun. */
    Request request;
    /** Whether the request waits for readiness before the operation is tried again. */
    boolean polling;
    /** From where the kernel takes the buffers of a continuous receive. */
    BufferRing buffers;
    /** Whether the request of a continuous receive takes a buffer for each arrival until it is cancelled. */
    boolean multishot;
    /**
     * Whether the request of a continuous receive is being cancelled, because its connection keeps too many buffers or
     * should have other ones.
     */
    boolean pausing;
    /** How many bytes a zero-copy send has sent, or its error. */
    int sent;
    /** Whether the buffer of a zero-copy send is still in use although it has been sent. */
    boolean pinned;
    /** Whether the request in the kernel is a zero-copy send. */
    boolean zeroCopy;
    /** How a file's bytes get to a socket; null until first needed, and then kept. */
    Transmission transmission;
    /** The buffer of a continuous receive that takes one at a time. */
    PooledBuffer receiving;

    IoUringOperation(OperationProcessor processor) {
        super(processor);
    }
}
