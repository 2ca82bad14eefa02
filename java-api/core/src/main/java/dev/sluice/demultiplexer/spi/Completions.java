package dev.sluice.demultiplexer.spi;

import dev.sluice.demultiplexer.Completion;

/**
 * The completions that one wait collected, in a reusable object. Each waiting thread has one, or several if it waits
 * again before it has handled all completions of the first. A wait with one such object does not change the contents of
 * others. Created by {@link AsynchronousEventDemultiplexer#newCompletions}, and usable with that demultiplexer only.
 */
public interface Completions extends AutoCloseable {

    /** {@return the number of completions that the last wait collected} */
    int size();

    /** {@return the maximum number of completions that one wait collects} */
    int capacity();

    /**
     * Returns a completion.
     *
     * @param index 0 to {@link #size()} - 1
     * @return the completion, valid until the next wait with this object, or until it is cleared or closed
     */
    Completion get(int index);

    /**
     * Returns the operation of a completion.
     *
     * @param index 0 to {@link #size()} - 1
     * @return the operation; if this was its last completion it may be started again
     */
    Operation operation(int index);

    /**
     * Returns the result of a completion; the methods of {@link Operation} specify the meaning of non-negative results.
     *
     * @param index 0 to {@link #size()} - 1
     * @return the result, or a negated error number, which is {@code -ECANCELED} for a cancellation
     */
    long result(int index);

    /**
     * Defers further completions of a completion's handle: until {@link #release}, no wait returns any, with this
     * object or another. For a thread that waits again before it has handled all completions of this object. Does
     * nothing if the completion has no handle, or on a multi-threaded demultiplexer, where a handle's completions are
     * always deferred until the next wait with this object, or its close.
     *
     * @param index 0 to {@link #size()} - 1
     */
    void defer(int index);

    /**
     * Returns whether further completions of a completion's handle are deferred, because of this completion or another
     * one.
     *
     * @param index 0 to {@link #size()} - 1
     * @return true if they are deferred
     */
    boolean isDeferred(int index);

    /**
     * Ends {@link #defer}: the next wait returns the deferred completions first, in order. Does nothing if none are
     * deferred, or on a multi-threaded demultiplexer.
     *
     * @param index the index that was passed to {@link #defer}
     */
    void release(int index);

    /** Removes the completions, so that their objects can be garbage collected. */
    void clear();

    /** Releases deferred completions, and the resources of this object; no wait may be using it. */
    @Override
    void close();
}
