package dev.sluice.demultiplexer.spi;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.handle.Handle;
import java.io.Closeable;
import java.io.IOException;
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
 * <p>On a {@linkplain #isMultiThreaded() multi-threaded} demultiplexer any number of threads may wait at once, each
 * with {@link Completions} of its own, and each completion goes to exactly one of them. There, starting an operation
 * makes the system call at once, unless another thread is already making system calls. The completions of one handle go
 * to one thread at a time, in order: once a thread has collected some, no other thread gets the handle's later ones
 * until the first waits again with the same {@link Completions} or closes them. So handlers of one handle are never
 * called by two threads at once. In the meantime a wait with other {@code Completions} does not get them, and if the
 * thread dies, they are held back until its {@code Completions} are closed. A handle that is associated again counts as
 * a different handle here.
 */
public interface AsynchronousEventDemultiplexer extends Closeable {

    /** A timeout that never ends. */
    long FOREVER = -1;

    /** {@return the name by which it is chosen, such as {@code io_uring}} */
    String name();

    /** {@return whether any number of threads may wait at once; otherwise only one thread ever may} */
    boolean isMultiThreaded();

    /**
     * Creates an operation, which can be started again and again, once at a time.
     *
     * @return the operation, not in flight; there is nothing to close
     */
    Operation newOperation();

    /**
     * Makes room for the results of waits.
     *
     * @param capacity the maximum number of completions that one wait collects, at least 1
     * @return the room; the caller closes it
     */
    Completions newCompletions(int capacity);

    /**
     * Ties a handle to this demultiplexer.
     *
     * @param handle a socket, a pipe's end or a file
     * @return what operations on the handle are started with
     * @throws IllegalStateException if it is tied to this one already
     * @throws dev.sluice.handle.HandleClosedException if the handle or this demultiplexer is closed
     * @throws IOException           if the mechanism cannot take the handle; the message says why
     */
    Association associate(Handle handle) throws IOException;

    /**
     * Starts what has been asked for and waits until there are completions, the time is over, or {@link #wakeUp()} is
     * called. Signals do not end the wait.
     *
     * @param completions  is cleared, then filled; from {@link #newCompletions}
     * @param timeoutNanos in nanoseconds, rounded up to what the system can measure; 0 only looks, {@link #FOREVER}
     *                     (any negative number) has no end
     * @return the number of completions; 0 if the time was over or the wait was ended
     * @throws IllegalStateException if another thread is the loop thread of a single-threaded demultiplexer
     * @throws dev.sluice.handle.HandleClosedException if the demultiplexer is closed, before or during the wait
     * @throws IOException           if the system call fails
     */
    int awaitCompletions(Completions completions, long timeoutNanos) throws IOException;

    /**
     * Ends a wait: one in progress, or else the next one. Several calls before the wait returns may count as one.
     * After the close it does nothing.
     *
     * @throws java.io.UncheckedIOException if the system refuses, so that no wait is ended; the next call counts again
     */
    void wakeUp();

    /**
     * Accepts no more operations and asks for the cancellation of all that are in flight. Waits continue and collect
     * their completions, until none is left ({@link #inFlight()}). Doing it again does nothing.
     */
    void shutdown();

    /** {@return the number of operations that have been started whose last completion has not been collected} */
    int inFlight();

    /**
     * Closes. What is still in flight is cancelled and its completion dropped: no buffer is touched any more and no
     * descriptor held when this returns, except by a call that opens a file and does not return: what it gets is closed
     * when it does. If threads are waiting, their waits end with {@link
     * dev.sluice.handle.HandleClosedException}. Handles stay open, except those that an operation in flight closes.
     * Closing again does nothing.
     *
     * @throws IllegalStateException if it is single-threaded, operations are in flight, and the loop thread is alive,
     *                               is not waiting, and is not the caller; no other thread can end its operations
     */
    @Override
    default void close() {
        close(Completion::closeUntaken);
    }

    /**
     * Closes, as {@link #close()} does, but hands the last completions of the operations that were in flight to a
     * consumer instead of dropping them. Those that another caller's close has already dropped are not among them.
     *
     * @param rest takes ownership of each of them and of what it brings; called during the close, perhaps by a waiting
     *             thread, so it must only take note of the completion, and must not throw
     * @throws IllegalStateException as {@link #close()}
     */
    void close(Consumer<? super Completion> rest);
}
