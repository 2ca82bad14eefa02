package dev.sluice.demultiplexer.spi;

import dev.sluice.handle.Handle;
import java.io.Closeable;
import java.io.IOException;

/**
 * The papers' synchronous event demultiplexer: a handle set, and the call that waits until handles in it are ready. The
 * contract is in the description of this package. All methods may be called from any thread, but an iterative set has
 * only one waiter at a time.
 */
public interface SynchronousEventDemultiplexer extends Closeable {

    /** A timeout that never ends. */
    long FOREVER = -1;

    /** {@return the name by which it is chosen, such as {@code epoll}} */
    String name();

    /** {@return whether one or many threads may wait} */
    HandleSetKind handleSetKind();

    /** {@return when a ready handle is reported} */
    Trigger trigger();

    /**
     * Makes a batch for the results of waits.
     *
     * @param capacity the maximum number of handles that one wait reports, at least 1
     * @return the batch; the caller closes it
     */
    ReadyBatch newReadyBatch(int capacity);

    /**
     * Adds a handle to the set. If it is ready already, the next wait reports it.
     *
     * <p>A regular file is always ready for reading and writing: as long as one is waited for in a level-triggered set,
     * each wait reports it, together with what else is ready, and none sleeps. Where the mechanism refuses files, as
     * epoll does, or waits at their end, as kqueue does, this is emulated. On Windows, mechanisms take only sockets.
     *
     * @param handle     the handle; the set holds it open until the membership is removed
     * @param events     bits of {@link EventType#IO}, perhaps 0
     * @param attachment what leads from an event to its handler, may be null
     * @return the membership
     * @throws IllegalArgumentException if there are other bits
     * @throws IllegalStateException    if the handle is in this set already
     * @throws dev.sluice.handle.HandleClosedException if the handle or this demultiplexer is closed
     * @throws IOException              if the mechanism cannot take the handle; the message says why
     */
    Membership register(Handle handle, int events, Object attachment) throws IOException;

    /**
     * Waits until handles are ready, the time is over, or {@link #wakeUp()} is called. Signals do not end the wait.
     *
     * @param ready        is cleared, then filled with what is ready; from {@link #newReadyBatch}
     * @param timeoutNanos in nanoseconds, rounded up to what the system can measure; 0 only looks, {@link #FOREVER}
     *                     (any negative number) has no end
     * @return the number of ready handles; 0 if the time was over or the wait was ended
     * @throws IllegalStateException if another thread waits on this iterative set
     * @throws dev.sluice.handle.HandleClosedException if the demultiplexer is closed, before or during the wait
     * @throws IOException           if the system call fails
     */
    int awaitReady(ReadyBatch ready, long timeoutNanos) throws IOException;

    /**
     * Waits as {@link #awaitReady} does, for a caller that owns this demultiplexer, and spares what only keeps threads
     * apart. The caller guarantees that no other thread waits at the same time, and that none closes this demultiplexer
     * before the wait has returned. Neither is checked. If another thread registers or changes what is always ready, as
     * a regular file is, only the next wait may report it.
     *
     * @param ready        as for {@link #awaitReady}
     * @param timeoutNanos as for {@link #awaitReady}
     * @return the number of ready handles; 0 if the time was over or the wait was ended
     * @throws IOException if the system call fails
     */
    default int awaitAsOwner(ReadyBatch ready, long timeoutNanos) throws IOException {
        return awaitReady(ready, timeoutNanos);
    }

    /**
     * Ends a wait: one in progress, or else the next one. Several calls before the wait returns may count as one.
     * After the close it does nothing. On a concurrent set, a wait with room for one handle that is ended by a wake-up
     * returns no handle, so such a waiter knows whether it has used up a wake-up.
     *
     * @throws java.io.UncheckedIOException if the system refuses, so that no wait is ended; the next call counts again
     */
    void wakeUp();

    /**
     * Removes all memberships and ends all waits with {@link dev.sluice.handle.HandleClosedException}. The handles
     * stay open. Closing again does nothing.
     *
     * @throws java.io.UncheckedIOException if the system refuses for half a second to end a wait; a thread then goes on
     *         with that until the system accepts it
     */
    @Override
    void close();
}
