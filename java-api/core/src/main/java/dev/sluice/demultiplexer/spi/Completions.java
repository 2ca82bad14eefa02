package dev.sluice.demultiplexer.spi;

import dev.sluice.demultiplexer.Completion;

/**
 * The completions that one wait collected, in an object that is made once and reused: one for each thread that waits,
 * or more if a thread waits again before it is done with the last ones. A wait with one such object does not change
 * what another holds. Comes from {@link AsynchronousEventDemultiplexer#newCompletions} and works with that
 * demultiplexer alone.
 */
public interface Completions extends AutoCloseable {

    /** {@return the number of completions that the last wait collected} */
    int size();

    /** {@return the maximum number of completions that one wait collects} */
    int capacity();

    /**
     * One of the completions.
     *
     * @param index 0 to {@link #size()} - 1
     * @return the completion, valid until this is waited with again, cleared or closed
     */
    Completion get(int index);

    /**
     * The operation that a completion belongs to.
     *
     * @param index 0 to {@link #size()} - 1
     * @return the operation; if this was its last completion it may be started again
     */
    Operation operation(int index);

    /**
     * How it went: see the methods of {@link Operation} for what a number from 0 on means.
     *
     * @param index 0 to {@link #size()} - 1
     * @return the result, or a negated error number, of which {@code -ECANCELED} stands for a cancellation
     */
    long result(int index);

    /**
     * Defers further completions of a completion's handle: until {@link #release}, no wait brings any, with whatever
     * object. For a thread that waits again before it has handled all completions of this object. Does nothing if the
     * completion has no handle, or on a multi-threaded demultiplexer, where a handle's completions
     * are always deferred until this object is waited with again or closed.
     *
     * @param index 0 to {@link #size()} - 1
     */
    void defer(int index);

    /**
     * Whether further completions of a completion's handle are deferred, because of this completion or another one.
     *
     * @param index 0 to {@link #size()} - 1
     * @return true if they are deferred
     */
    boolean isDeferred(int index);

    /**
     * Ends {@link #defer}: the next wait brings the deferred completions first, in order. Does nothing if none are
     * deferred, or on a multi-threaded demultiplexer.
     *
     * @param index the same as for {@link #defer}
     */
    void release(int index);

    /** Forgets the completions, so that nothing keeps their objects from being collected. */
    void clear();

    /** Releases deferred completions, and what the demultiplexer needs for this; no wait may be using it. */
    @Override
    void close();
}
