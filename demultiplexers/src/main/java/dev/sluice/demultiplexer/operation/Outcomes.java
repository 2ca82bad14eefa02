package dev.sluice.demultiplexer.operation;

import org.jspecify.annotations.Nullable;

/** Receives the outcomes of operations from the code that executes them. Used inside. */
public interface Outcomes {

    /** {@return whether the calling thread is inside; for assertions} */
    boolean isInside();

    /**
     * Finds the operation that an answer of the system refers to.
     *
     * @param key its {@link OperationSlot#key()}
     * @return the operation; null if it has completed, or there never was one
     */
    @Nullable OperationSlot operation(long key);

    /**
     * Completes an operation; no completion follows.
     *
     * @param operation an operation that has been begun
     * @param result    its result
     * @param resource  the resource that it delivers, or null
     */
    void complete(OperationSlot operation, long result, @Nullable Object resource);

    /**
     * Completes an operation; no completion follows.
     *
     * @param operation an operation that has been begun
     * @param result    its result
     */
    void complete(OperationSlot operation, long result);

    /**
     * Handles an exception of an attempt: completes the operation with {@code EIO}, unless it has completed or is still
     * being executed. The next wait throws the exception, unless it concerns this operation alone: a
     * {@link TouchedBufferException} becomes the cause of the operation's error, and a lack of memory completes it with
     * {@code ENOMEM}.
     *
     * @param operation an operation that has been begun
     * @param failure   a {@link RuntimeException} or an {@link Error}
     */
    void failed(OperationSlot operation, Throwable failure);

    /**
     * Handles an unexpected exception, which the next wait throws.
     *
     * @param failure a {@link RuntimeException} or an {@link Error}
     */
    void failed(Throwable failure);

    /**
     * Reports a result of a continuous operation, which continues.
     *
     * @param operation an operation that has been begun
     * @param result    its result
     * @param resource  the resource that the operation returns
     */
    void report(OperationSlot operation, long result, Object resource);

    /**
     * Handles the result of an attempt to move bytes, and completes the operation unless it needs another attempt.
     *
     * @param operation an operation that has been begun and is not being executed
     * @param result    the number of bytes moved, or a negated error number
     * @return whether it needs another attempt
     */
    boolean hasMore(OperationSlot operation, long result);

    /**
     * Handles the result of an attempt to move bytes, and begins another attempt if one is needed, unless the operation
     * has been cancelled in the meantime.
     *
     * @param operation an operation that has been begun and is not being executed
     * @param result    the number of bytes moved, or a negated error number
     */
    void attempted(OperationSlot operation, long result);

    /**
     * Makes a continuous receive wait until a provided buffer is released.
     *
     * @param operation an operation that has been begun and is not being executed
     */
    void awaitProvidedBuffer(OperationSlot operation);

    /**
     * Pauses a continuous receive until some buffers are released, if its connection has reached its share of them.
     *
     * @param operation an operation that has been begun and is not being executed
     * @return whether the receive is paused, or has been cancelled and completed
     */
    boolean pause(OperationSlot operation);

    /**
     * Takes a buffer for a continuous receive, which waits if there is none or its connection has reached its share.
     *
     * @param operation an operation that has been begun and is not being executed
     * @return the buffer; null if the receive is waiting, or has been cancelled and completed
     */
    default @Nullable PooledBuffer takeProvidedBuffer(OperationSlot operation) {
        if (pause(operation)) {
            return null;
        }
        PooledBuffer buffer = providedBuffers().takeFor(operation);
        if (buffer == null) {
            awaitProvidedBuffer(operation);
        }
        return buffer;
    }

    /** {@return the buffers for continuous receives} */
    ProvidedBuffers providedBuffers();
}
