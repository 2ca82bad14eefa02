package dev.sluice.demultiplexer.spi;

import dev.sluice.handle.Handle;
import java.io.Closeable;
import java.io.IOException;

/**
 * The papers' synchronous event demultiplexer: a handle set, and the call that waits until handles in it are ready. The
 * contract is in the description of this package. All methods may be called from any thread, but only one thread at a
 * time may wait on an iterative set.
 */
public interface SynchronousEventDemultiplexer extends Closeable {

    /** The timeout of an unbounded wait. */
    long FOREVER = -1;

    /** {@return the name by which it is selected, such as {@code epoll}} */
    String name();

    /** {@return the kind of the handle set: whether one thread or several may wait} */
    HandleSetKind handleSetKind();

    /** {@return the rule by which a ready handle is reported} */
    Trigger trigger();

    /**
     * Creates a batch for the results of waits.
     *
     * @param capacity the maximum number of handles that one wait reports, at least 1
     * @return the batch; the caller closes it
     */
    ReadyBatch newReadyBatch(int capacity);

    /**
     * Adds a handle to the set. If it is already ready, the next wait reports it.
     *
     * <p>A regular file is always ready for reading and writing: while one is registered with a level-triggered set,
     * each wait reports it, together with other ready handles, and returns immediately. If the mechanism does not
     * support files, as epoll, or waits at their end, as kqueue, this is emulated. On Windows, mechanisms support only
     * sockets.
     *
     * @param handle     the handle; the set holds it open until the membership is removed
     * @param events     bits of {@link EventType#IO}, possibly 0
     * @param attachment an object that leads from an event to its handler, may be null
     * @return the membership
     * @throws IllegalArgumentException if there are other bits
     * @throws IllegalStateException    if the handle is already in this set
     * @throws dev.sluice.handle.HandleClosedException if the handle or this demultiplexer is closed
     * @throws IOException              if the mechanism does not support the handle; the message has the reason
     */
    Membership register(Handle handle, int events, Object attachment) throws IOException;

    /**
     * Waits until handles are ready, the timeout elapses, or {@link #wakeUp()} is called. Signals do not end the wait.
     *
     * @param ready        a batch from {@link #newReadyBatch}, which is cleared and then filled with the ready handles
     * @param timeoutNanos the timeout in nanoseconds, rounded up to the resolution of the system; 0 to poll without
     *                     waiting, {@link #FOREVER} (or any negative number) for an unbounded wait
     * @return the number of ready handles; 0 if the timeout elapsed or the wait was woken up
     * @throws IllegalStateException if another thread waits on this iterative set
     * @throws dev.sluice.handle.HandleClosedException if the demultiplexer is closed, before or during the wait
     * @throws IOException           if the system call fails
     */
    int awaitReady(ReadyBatch ready, long timeoutNanos) throws IOException;

    /**
     * Waits as {@link #awaitReady} does, for a caller that owns this demultiplexer, without the synchronization between
     * waiting threads. The caller guarantees that no other thread waits at the same time, and that none closes this
     * demultiplexer before the wait has returned. Neither is checked. If another thread registers or changes a handle
     * that is always ready, such as a regular file, only the next wait may report it.
     *
     * @param ready        as for {@link #awaitReady}
     * @param timeoutNanos as for {@link #awaitReady}
     * @return the number of ready handles; 0 if the timeout elapsed or the wait was woken up
     * @throws IOException if the system call fails
     */
    default int awaitAsOwner(ReadyBatch ready, long timeoutNanos) throws IOException {
        return awaitReady(ready, timeoutNanos);
    }

    /**
     * Ends a wait in progress, or else the next one. Several calls before the wait returns may count as one. Does
     * nothing after the close. On a concurrent set, a wait with a batch of capacity one that is ended by a wake-up
     * returns no handle, so the waiting thread knows whether it has consumed a wake-up.
     *
     * @throws java.io.UncheckedIOException if the system call fails, so that no wait is ended; a further call tries
     *                                      again
     */
    void wakeUp();

    /**
     * Removes all memberships and ends all waits with {@link dev.sluice.handle.HandleClosedException}. The handles stay
     * open. Closing again does nothing.
     *
     * @throws java.io.UncheckedIOException if the system call that ends a wait has failed for half a second; a thread
     *                                      then continues to try until it succeeds
     */
    @Override
    void close();
}
