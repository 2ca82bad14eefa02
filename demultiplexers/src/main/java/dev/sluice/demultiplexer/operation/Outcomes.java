package dev.sluice.demultiplexer.operation;

/** Where the code that executes operations reports their outcomes. Used inside. */
public interface Outcomes {

    /** {@return whether the calling thread is inside; for assertions} */
    boolean isInside();

    /**
     * Finds the operation that the system's answer is about.
     *
     * @param key its {@link OperationSlot#key()}
     * @return the operation, null if it has completed, or there is none
     */
    OperationSlot operation(long key);

    /**
     * Completes an operation; no completion follows.
     *
     * @param operation begun
     * @param result    its result
     * @param resource  the resource that it delivers, or null
     */
    void complete(OperationSlot operation, long result, Object resource);

    /**
     * Completes an operation; no completion follows.
     *
     * @param operation begun
     * @param result    its result
     */
    void complete(OperationSlot operation, long result);

    /**
     * An attempt has thrown something: completes the operation with {@code EIO} unless it has completed, or is being
     * executed nevertheless. The next wait throws the failure, unless it is of this operation alone: a
     * {@link TouchedBufferException} is the cause of its error, and a lack of memory is {@code ENOMEM}.
     *
     * @param operation begun
     * @param failure   a {@link RuntimeException} or an {@link Error}
     */
    void failed(OperationSlot operation, Throwable failure);

    /**
     * Something unexpected has been thrown. The next wait throws it.
     *
     * @param failure a {@link RuntimeException} or an {@link Error}
     */
    void failed(Throwable failure);

    /**
     * Reports one of many successes of a continuous operation.
     *
     * @param operation begun
     * @param result    its result
     * @param resource  the resource that it returns
     */
    void report(OperationSlot operation, long result, Object resource);

    /**
     * Takes the result of an attempt to move bytes, and completes the operation unless it needs another attempt.
     *
     * @param operation begun, not being executed
     * @param result    bytes moved, or a negated error number
     * @return whether it needs another attempt
     */
    boolean hasMore(OperationSlot operation, long result);

    /**
     * Takes the result of an attempt to move bytes, and continues the operation if it needs another one, unless it has
     * been cancelled in the meantime.
     *
     * @param operation begun, not being executed
     * @param result    bytes moved, or a negated error number
     */
    void attempted(OperationSlot operation, long result);

    /**
     * Lets a continuous receive wait until a provided buffer is released.
     *
     * @param operation begun, not being executed
     */
    void awaitProvidedBuffer(OperationSlot operation);

    /**
     * Lets a continuous receive wait until some buffers are released, if its connection has taken its share of them.
     *
     * @param operation begun, not being executed
     * @return whether it is waiting, or has been cancelled and completed
     */
    boolean pause(OperationSlot operation);

    /**
     * Takes a buffer for a continuous receive, which waits if there is none, or its connection has taken its share.
     *
     * @param operation begun, not being executed
     * @return the buffer; null if it is waiting, or has been cancelled and completed
     */
    default PooledBuffer takeProvidedBuffer(OperationSlot operation) {
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
