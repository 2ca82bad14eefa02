package dev.sluice.proactor;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.Handle;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Starts operations on one handle. All methods may be called from any thread; the handler is called by the loop thread
 * of the proactor, or by one thread at a time if several run it.
 *
 * <p>Methods that start an operation never report errors of the system, which the completion reports. They throw
 * {@link IllegalStateException} if the proactor is closed, or if a buffer's memory has been freed or is confined to one
 * thread; constructors throw {@link dev.sluice.handle.HandleClosedException} if the proactor is closed. They throw
 * {@link IllegalArgumentException} if a buffer to receive into is read-only or has no space remaining, or a number is
 * negative. Until the completion, buffers belong to the operation, and so do arrays of buffers: the system would go on
 * using a buffer that is replaced in its array, and whose memory may then be freed. Each method returns a ticket for
 * {@link #cancel(long)}.
 *
 * <p>A future represents its operation. Cancelling the future {@linkplain #cancel(long) cancels} the operation: the
 * future completes when the operation does, on the dispatching thread, and not before. So it is cancelled only if the
 * operation has no result. If the cancellation comes too late, it completes normally, and the caller must handle the
 * result: the bytes are in the buffer, and a connection, file or lock must be used or closed. {@code orTimeout} and
 * {@code completeOnTimeout} also cancel the operation, and wait for its result in the same way. Other methods that
 * complete a future, such as {@code complete}, do not affect the operation: it continues and uses its buffer, its
 * result is discarded, and a connection, file or lock that it returns is closed. Cancelling dependent futures, such as
 * those of {@code thenApply}, does not cancel the operation. In a hook of a single-threaded proactor, {@code get} and
 * {@code join} throw {@link IllegalStateException} if the operation is in flight, because only the caller could
 * complete it: use {@code whenComplete} there.
 */
public abstract sealed class AsyncHandle implements Closeable
        permits StreamOperations, AsyncAcceptor, AsyncDatagram, AsyncOpenFile {

    /**
     * Number of the lower bits of a ticket that contain the index of the operation; the upper ones contain the
     * operation's own ticket.
     */
    static final int INDEX_BITS = Long.SIZE - 1 - Operation.TICKET_BITS;

    /**
     * Number of nested calls in which an operation is claimed. Starting it takes less stack, so it cannot fail for lack
     * of stack: a claimed operation that is not started would never be free again.
     */
    private static final int CLAIM_DEPTH = 20;

    private final Proactor proactor;
    private @Nullable CompletionHandler handler;
    /** The association; null if a socket to connect could not be opened: then no operation is started. */
    private final @Nullable Association association;
    private volatile Operation[] operations = {};
    /**
     * Index at which the search for a free operation begins: after the last one found, so that operations in flight are
     * not searched. Not synchronized, because any value is correct.
     */
    private int hint;

    AsyncHandle(Proactor proactor, Handle handle, @Nullable CompletionHandler handler) throws IOException {
        this.proactor = proactor;
        this.handler = handler;
        this.association = proactor.demultiplexer.associate(handle);
    }

    /** Creates a connection, which has typed hooks; without a handle if the socket could not be opened. */
    AsyncHandle(Proactor proactor, @Nullable Association association) {
        this.proactor = proactor;
        this.handler = null;
        this.association = association;
    }

    /** Creates another object for the same handle, with another handler. */
    AsyncHandle(AsyncHandle same, CompletionHandler handler) {
        this.proactor = same.proactor;
        this.handler = Objects.requireNonNull(handler, "handler");
        this.association = same.association;
    }

    final Association association() {
        assert association != null;
        return association;
    }

    final CompletionHandler handler() {
        if (handler == null) {
            requireSingleOperations();
            throw new IllegalStateException("no completion handler for " + handle() + ": pass one to the"
                    + " constructor, or use a ...Future method");
        }
        return handler;
    }

    /**
     * Checks that the program may start operations.
     *
     * @throws IllegalStateException if this object starts them by itself
     */
    void requireSingleOperations() {
        // By default, the program may start operations.
    }

    /**
     * Replaces the handler of completions that have not been dispatched, and of operations that are started later
     * without a future.
     */
    final void replaceHandler(CompletionHandler next) {
        association().handOver(handler(), next);
        handler = next;
    }

    /** {@return the proactor that calls the handler} */
    public final Proactor proactor() {
        return proactor;
    }

    /** {@return the handle} */
    public final Handle handle() {
        if (association == null) {
            throw new IllegalStateException("handle: no socket could be opened: " + this);
        }
        return association.handle();
    }

    /** Claims an operation for the handler of this object. Returns its ticket. */
    final long claim(@Nullable Object token) {
        return claim(handler(), token);
    }

    /** Claims an operation for a future. Returns the operation, which the caller must start. */
    final Operation claimFor(OperationFuture<?> future) {
        requireSingleOperations();
        long ticket = claim(future, null);
        future.started(ticket);
        return claimed(ticket);
    }

    /** Claims an operation. Returns its ticket. The caller must start the operation, which {@link #claimed} returns. */
    final long claim(CompletionHandler target, @Nullable Object token) {
        Objects.requireNonNull(target, "target");
        long ticket = claimFree(target, token, CLAIM_DEPTH);
        while (ticket < 0) {
            addOperation();
            ticket = claimFree(target, token, CLAIM_DEPTH);
        }
        return ticket;
    }

    /** Claims a free operation, in the given number of nested calls. Returns its ticket; -1 if there is none. */
    private long claimFree(CompletionHandler target, @Nullable Object token, int depth) {
        if (depth > 0) {
            return claimFree(target, token, depth - 1);
        }
        Operation[] known = operations;
        int first = hint;
        int from = first < known.length ? first : 0;
        for (int i = 0; i < known.length; i++) {
            int index = from + i < known.length ? from + i : from + i - known.length;
            long number = known[index].claim(target, token);
            if (number >= 0) {
                hint = index + 1;
                return ticket(number, index);
            }
        }
        return -1;
    }

    private synchronized void addOperation() {
        Operation[] known = operations;
        int index = known.length;
        if (index == 1 << INDEX_BITS) {
            throw new IllegalStateException(index + " operations are in flight on " + handle());
        }
        Operation[] more = Arrays.copyOf(known, index + 1);
        more[index] = proactor.demultiplexer.newOperation();
        operations = more;
    }

    static long ticket(long number, int index) {
        return number << INDEX_BITS | index;
    }

    static int index(long ticket) {
        return (int) ticket & (1 << INDEX_BITS) - 1;
    }

    /** {@return the operation's own ticket} */
    static long number(long ticket) {
        return ticket >> INDEX_BITS;
    }

    /** {@return a claimed operation} */
    final Operation claimed(long ticket) {
        return operations[index(ticket)];
    }

    /** Starts an operation as {@link Operation#transfer} does. Returns its ticket. */
    final long transfer(OperationType type, ByteBuffer buffer, long position, boolean all, @Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).transfer(type, association(), buffer, position, all);
        return ticket;
    }

    /** Starts an operation with several buffers. Returns its ticket. */
    final long transfer(OperationType type, ByteBuffer[] buffers, int offset, int count, long position, boolean all,
            @Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).transfer(type, association(), buffers, offset, count, position, all);
        return ticket;
    }

    /**
     * Requests the cancellation of one operation, which still completes once. Does nothing if it has already completed.
     *
     * @param ticket the ticket returned when it was started
     */
    public final void cancel(long ticket) {
        Operation[] known = operations;
        if (index(ticket) < known.length) {
            known[index(ticket)].cancel(number(ticket));
        }
    }

    /** Requests the cancellation of all operations in flight, each of which still completes once. */
    public final void cancel() {
        association().cancel();
    }

    /**
     * Sets the priority of operations on this handle, relative to those on other handles of the same proactor. It
     * applies to operations that are started from now on:
     * <ul>
     * <li>If threads execute operations on files, they take those with the highest priority first.
     * <li>On io_uring it determines the kernel's I/O priority of reads and writes of files (ioprio_set(2)), also
     * relative to other processes: 1 to 4 are the best-effort levels 3 to 0, of which 0 is the highest priority, -1 to
     * -3 the levels 5 to 7, and less than -3 the idle class, which waits until no other process uses the disk; more
     * than 4 counts as 4. With 0 it is the priority of the thread. It has an effect if the I/O scheduler of the disk
     * supports priorities, as bfq does.
     * <li>It has no effect on operations other than on files, and on the reads and writes of completion ports.
     * </ul>
     *
     * @param priority the priority, any number; higher is more urgent; the default is 0
     */
    public final void prioritize(int priority) {
        association().prioritize(priority);
    }

    /**
     * Waits until the handle is ready. The result is the sum of the events that it is ready for: 1 for
     * {@link Interest#READ}, 2 for {@link Interest#WRITE} and 4 for {@link Interest#EXCEPTION}.
     *
     * @param interest the events to wait for, not {@link Interest#NONE}
     * @param token    the token of the completion; may be null
     * @return the ticket
     */
    public final long poll(Interest interest, @Nullable Object token) {
        int events = EventType.of(interest);
        long ticket = claim(token);
        claimed(ticket).poll(association(), events);
        return ticket;
    }

    /**
     * Closes the handle without blocking the caller; all other operations in flight complete as cancelled.
     *
     * @param token the token of the completion; may be null
     * @return the ticket
     */
    public final long close(@Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).close(association());
        return ticket;
    }

    /** {@return a future that completes when the handle is closed; see {@link #close(Object)}} */
    public final CompletableFuture<Void> closeFuture() {
        OperationFuture<Void> future = OperationFuture.ofNothing(proactor(), this::cancel);
        claimFor(future).close(association());
        return future;
    }

    /** Closes the handle. Operations in flight complete as cancelled. */
    @Override
    public void close() {
        handle().close();
    }

    /** {@return the handle's description} */
    @Override
    public String toString() {
        return association().toString();
    }
}
