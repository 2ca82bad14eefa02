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
 * Starts operations on one handle. May be used by any thread; the handler is called by the loop thread of the proactor,
 * or by one thread at a time if many run it.
 *
 * <p>Starting never fails because of the system: any error of the system comes with the completion. It throws
 * {@link IllegalStateException} once the proactor is closed, where a constructor throws
 * {@link dev.sluice.handle.HandleClosedException}; it also does if a buffer's memory has been freed or is confined to
 * one thread. It throws {@link IllegalArgumentException} if a buffer to receive into is read-only or has no room, or a
 * number is negative. Until the completion, buffers belong to the operation. Each starting method returns a ticket for
 * {@link #cancel(long)}.
 *
 * <p>A future stands for its operation. Cancelling the future {@linkplain #cancel(long) cancels} the operation: the
 * future completes when the operation does, on the thread that dispatches, and not before. So it ends as cancelled only
 * if the operation has brought nothing; if the cancellation comes too late it completes normally, and the caller must
 * still look at the result: the bytes are in the buffer, and a connection or file must be used or closed.
 * {@code orTimeout} and {@code completeOnTimeout} also cancel the operation, and wait for its result in the same way.
 * Anything else that completes a future, such as {@code complete}, does not affect the operation: it goes on and keeps
 * its buffer, its result is discarded, and a connection or file that it brings is closed. Cancelling futures
 * that depend on one of these, such as those of {@code thenApply}, does not cancel the operation. In a hook of a
 * proactor that one thread runs, {@code get} and {@code join} throw {@link IllegalStateException} if the operation is
 * in flight, since only the caller could complete it: use {@code whenComplete} there.
 */
public abstract sealed class AsyncHandle implements Closeable
        permits StreamOperations, AsyncAcceptor, AsyncDatagram, AsyncFile {

    /** A ticket holds the operation's own ticket, and below it, in this many bits, the operation's index. */
    static final int INDEX_BITS = Long.SIZE - 1 - Operation.TICKET_BITS;

    /**
     * How many calls deep an operation is claimed. Starting it does not go as deep, so there is stack for that: without
     * any, an operation that has been claimed would never be started, and never be free again.
     */
    private static final int CLAIM_DEPTH = 20;

    private final Proactor proactor;
    private @Nullable CompletionHandler handler;
    /** Null if a socket to connect could not be opened: then no operation is started. */
    private final @Nullable Association association;
    private volatile Operation[] operations = {};
    /**
     * Where to look for a free operation first: after the last one found, so that long queues are not searched. Any
     * value will do, so threads need not agree on it.
     */
    private int hint;

    AsyncHandle(Proactor proactor, Handle handle, @Nullable CompletionHandler handler) throws IOException {
        this.proactor = proactor;
        this.handler = handler;
        this.association = proactor.demultiplexer.associate(handle);
    }

    /** A connection, which has typed hooks; it has no handle if the socket could not be opened. */
    AsyncHandle(Proactor proactor, @Nullable Association association) {
        this.proactor = proactor;
        this.handler = null;
        this.association = association;
    }

    /** The same handle, with another handler. */
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
            throw new IllegalStateException("the operations of " + handle() + " were given no completion handler:"
                    + " start each with a method that returns a future");
        }
        return handler;
    }

    /**
     * Checks that the program may start operations.
     *
     * @throws IllegalStateException if this starts them by itself
     */
    void requireSingleOperations() {
        // Unless a subclass does.
    }

    /** Sets the handler for completions not yet dispatched, and for operations started without a future later. */
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

    /** {@return the ticket of an operation that is claimed for the handler of this object} */
    final long claim(@Nullable Object token) {
        return claim(handler(), token);
    }

    /** {@return an operation that now belongs to the caller, which starts it, and whose completion goes to a future} */
    final Operation claimFor(OperationFuture<?> future) {
        requireSingleOperations();
        long ticket = claim(future, null);
        future.started(ticket);
        return claimed(ticket);
    }

    /**
     * {@return the ticket of an operation that now belongs to the caller, which gets it from {@link #claimed} and
     * starts it}
     */
    final long claim(CompletionHandler target, @Nullable Object token) {
        Objects.requireNonNull(target, "target");
        long ticket = claimFree(target, token, CLAIM_DEPTH);
        while (ticket < 0) {
            addOperation();
            ticket = claimFree(target, token, CLAIM_DEPTH);
        }
        return ticket;
    }

    /** {@return the ticket of a free operation, which is claimed so many calls deep; -1 if there is none} */
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

    /** {@return the operation that has been claimed} */
    final Operation claimed(long ticket) {
        return operations[index(ticket)];
    }

    /** {@return the ticket of an operation that now moves the bytes of a buffer, as {@link Operation#transfer} says} */
    final long transfer(OperationType type, ByteBuffer buffer, long position, boolean all, @Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).transfer(type, association(), buffer, position, all);
        return ticket;
    }

    /** {@return the same for several buffers} */
    final long transfer(OperationType type, ByteBuffer[] buffers, int offset, int count, long position, boolean all,
            @Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).transfer(type, association(), buffers, offset, count, position, all);
        return ticket;
    }

    /**
     * Asks for the cancellation of one operation. It still completes, once. Does nothing if it has completed already.
     *
     * @param ticket the ticket returned when it was started
     */
    public final void cancel(long ticket) {
        Operation[] known = operations;
        if (index(ticket) < known.length) {
            known[index(ticket)].cancel(number(ticket));
        }
    }

    /** Asks for the cancellation of all operations in flight. They still complete, once each. */
    public final void cancel() {
        association().cancel();
    }

    /**
     * Says how urgent operations on this handle are, compared with those on others of the same proactor. It counts for
     * what is started from now on:
     * <ul>
     * <li>Where threads execute operations on files, these take the highest priority first.
     * <li>On io_uring it becomes the kernel's priority of reads and writes of files (ioprio_set(2)), also compared with
     *     those of other processes: 1 to 4 are the best-effort levels 3 to 0, of which 0 is the most urgent, -1 to -3
     *     the levels 5 to 7, less than -3 the idle class, which waits until nothing else uses the disk, and more than 4
     *     counts as 4. With 0 it is that of the thread. It takes effect if the scheduler of the disk goes by
     *     priorities, as bfq does.
     * <li>On completion ports, and for operations other than on files, the order is that of the system.
     * </ul>
     *
     * @param priority any number, higher is more urgent; 0 unless changed
     */
    public final void prioritize(int priority) {
        association().prioritize(priority);
    }

    /**
     * Waits until the handle is ready, without doing anything to it.
     *
     * @param interest what to be ready for, not {@link Interest#NONE}
     * @param token    for the completion; may be null. Its result is what the handle is ready for: 1 for
     *                 {@link Interest#READ}, 2 for {@link Interest#WRITE} and 4 for {@link Interest#EXCEPTION}, added.
     * @return the ticket
     */
    public final long poll(Interest interest, @Nullable Object token) {
        int events = EventType.of(interest);
        long ticket = claim(token);
        claimed(ticket).poll(association(), events);
        return ticket;
    }

    /**
     * Closes the handle without making the caller wait for the system; everything else in flight completes as
     * cancelled.
     *
     * @param token for the completion; may be null
     * @return the ticket
     */
    public final long close(@Nullable Object token) {
        long ticket = claim(token);
        claimed(ticket).close(association());
        return ticket;
    }

    /** {@return completes when the handle is closed, see {@link #close(Object)}} */
    public final CompletableFuture<Void> closeFuture() {
        OperationFuture<Void> future = OperationFuture.ofNothing(proactor(), this::cancel);
        claimFor(future).close(association());
        return future;
    }

    /** Closes the handle. What is in flight completes as cancelled. */
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
