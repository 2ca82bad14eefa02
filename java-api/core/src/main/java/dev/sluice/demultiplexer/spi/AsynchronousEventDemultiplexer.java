package dev.sluice.demultiplexer.spi;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.handle.Handle;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * The papers' asynchronous operation processor, completion event queue and asynchronous event demultiplexer in one:
 * operations are started, and the call that waits collects their completions. The contract is in the description of
 * this package.
 *
 * <p>All methods may be called from any thread except {@link #awaitCompletions}: on a single-threaded demultiplexer
 * only its loop thread may wait, which is the thread that waited first. Starting an operation on the loop thread takes
 * no lock and makes no system call: the next wait makes it. The loop thread should be a platform thread that lives as
 * long as its operations, because some systems cancel the operations of a thread that ends.
 *
 * <p>On a {@linkplain #isMultiThreaded() multi-threaded} demultiplexer any number of threads may wait concurrently,
 * each with {@link Completions} of its own, and each completion goes to exactly one of them. Starting an operation
 * makes the system call immediately, unless another thread is already making system calls. The completions of one
 * handle go to one thread at a time, in order: once a thread has collected some, no other thread gets the handle's
 * later ones until the first waits again with the same {@link Completions} or closes them. So handlers of one handle
 * are never called by two threads concurrently. In the meantime a wait with other {@code Completions} does not return
 * them, and if the thread dies, they are deferred until its {@code Completions} are closed. A handle that is associated
 * again counts as a different handle.
 */
public interface AsynchronousEventDemultiplexer extends Closeable {

    /** The timeout of an unbounded wait. */
    long FOREVER = -1;

    /** {@return the name by which it is selected, such as {@code io_uring}} */
    String name();

    /** {@return whether any number of threads may wait concurrently; otherwise only the loop thread may} */
    boolean isMultiThreaded();

    /**
     * Creates an operation, which can be started any number of times, but only when it is not in flight.
     *
     * @return the operation, not in flight; it need not be closed
     */
    Operation newOperation();

    /**
     * Creates an object for the results of waits.
     *
     * @param capacity the maximum number of completions that one wait collects, at least 1
     * @return the object; the caller closes it
     */
    Completions newCompletions(int capacity);

    /**
     * Associates a handle with this demultiplexer.
     *
     * @param handle a socket, a pipe's end or a file
     * @return the association, with which operations on the handle are started
     * @throws IllegalStateException if it is already associated with this demultiplexer
     * @throws dev.sluice.handle.HandleClosedException if the handle or this demultiplexer is closed
     * @throws IOException           if the mechanism does not support the handle; the message has the reason
     */
    Association associate(Handle handle) throws IOException;

    /**
     * Submits the started operations and waits until there are completions, the timeout elapses, or {@link #wakeUp()}
     * is called. Signals do not end the wait.
     *
     * @param completions  an object from {@link #newCompletions}, which is cleared and then filled
     * @param timeoutNanos the timeout in nanoseconds, rounded up to the resolution of the system; 0 to poll without
     *                     waiting, {@link #FOREVER} (or any negative number) for an unbounded wait
     * @return the number of completions; 0 if the timeout elapsed or the wait was woken up
     * @throws IllegalStateException if another thread is the loop thread of a single-threaded demultiplexer
     * @throws dev.sluice.handle.HandleClosedException if the demultiplexer is closed, before or during the wait
     * @throws IOException           if the system call fails
     */
    int awaitCompletions(Completions completions, long timeoutNanos) throws IOException;

    /**
     * Ends a wait in progress, or else the next one. Several calls before the wait returns may count as one. Does
     * nothing after the close.
     *
     * @throws java.io.UncheckedIOException if the system call fails, so that no wait is ended; a further call tries
     *                                      again
     */
    void wakeUp();

    /**
     * Rejects new operations from now on and requests the cancellation of all that are in flight. Waits continue to
     * collect their completions, until none is left ({@link #inFlight()}). Does nothing when called again.
     */
    void shutdown();

    /**
     * Registers the remaining bytes of a buffer with the system, if the mechanism can. The next wait does it. While it
     * is registered, the memory is kept reachable.
     *
     * @param buffer a direct buffer with bytes remaining
     * @return the registration, which closing it ends; operations in flight are not affected
     * @throws IllegalArgumentException if there are no bytes remaining, the buffer is on the heap, or its memory may be
     *                                  freed while it is reachable
     */
    Closeable registerBuffer(ByteBuffer buffer);

    /** {@return the number of bytes that the system has registered; 0 after the close} */
    long registeredBytes();

    /** {@return the number of operations that have been started whose last completion has not been collected} */
    int inFlight();

    /**
     * Closes this demultiplexer. Operations in flight are cancelled and their completions discarded. When this method
     * returns, the system accesses no buffer and holds no descriptor any more, except for a call that is still opening
     * a file: the file is closed when that call returns. The waits of other threads end with
     * {@link dev.sluice.handle.HandleClosedException}. Handles stay open, except those that an operation in flight
     * closes. Closing again does nothing.
     *
     * @throws IllegalStateException if it is single-threaded, operations are in flight, and the loop thread is alive,
     *                               not waiting, and not the caller; no other thread can cancel its operations
     */
    @Override
    default void close() {
        close(Completion::closeUnclaimed);
    }

    /**
     * Closes, as {@link #close()} does, but passes the last completions of the operations in flight to a consumer
     * instead of discarding them; not those that another caller's close has already discarded.
     *
     * @param rest takes ownership of each completion and its contents; called during the close, possibly by a waiting
     *             thread, so it must only store the completion, and must not throw
     * @throws IllegalStateException as {@link #close()}
     */
    void close(Consumer<? super Completion> rest);
}
