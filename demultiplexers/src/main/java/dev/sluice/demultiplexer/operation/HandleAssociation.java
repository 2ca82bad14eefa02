package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.failure.Failures;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.spi.CloseListener;
import dev.sluice.handle.spi.Descriptor;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.handle.spi.DirectTransfer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a handle, in the order in which they were accepted. Used only inside, except where methods may be
 * called by any thread.
 */
public class HandleAssociation implements Association, CloseListener {

    private final OperationProcessor processor;
    final Descriptor held;
    private final long descriptor;
    private @Nullable OperationSlot first;
    private @Nullable OperationSlot last;
    private @Nullable OperationSlot input;
    private @Nullable OperationSlot output;
    /** Null until the first append that is forced. */
    @Nullable AppendForces appendForces;
    private boolean ended;
    /** The completions of the handle while a batch holds it. */
    final CompletionLine completions = new CompletionLine();
    /** The continuous receive that is paused until some of its buffers are released, or null. */
    @Nullable OperationSlot paused;
    /** Whether the connection is in the queue of those that wait until other connections release buffers. */
    boolean awaitsOthers;
    /** The next connection in that queue. */
    @Nullable HandleAssociation nextAwaiting;
    /** Created when the connection first fills a buffer, which most connections never do. */
    private @Nullable ReceiveSizePredictor predictor;
    /** The number of provided buffers that have been received into and not been released. */
    int taken;
    private final AtomicBoolean released = new AtomicBoolean();
    /** May be written by any thread. */
    private volatile int priority;
    /** Gaps in the output. */
    final StreamGap gap = new StreamGap();
    /** Null until a handler is replaced. Not volatile, because it is written between the completions of this handle. */
    private @Nullable ReplacedHandlers successors;

    private final EndCommand endCommand = new EndCommand();

    /**
     * Creates an association, which holds the handle open.
     *
     * @param processor the processor that the association belongs to
     * @param handle    the handle
     * @throws HandleClosedException if the handle is closed
     */
    public HandleAssociation(OperationProcessor processor, Handle handle) throws HandleClosedException {
        this.processor = processor;
        this.held = Descriptors.of(handle);
        this.descriptor = held.acquire();
    }

    /**
     * Called when the association ends, before its operations are cancelled and before the handle can be associated
     * again. May be called by any thread, and more than once.
     */
    protected void ending() {
    }

    /**
     * Ends an association without operations in flight. May be called by any thread, if no thread inside can end it.
     */
    protected final void abandon() {
        ending();
        held.removeCloseListener(this);
        if (released.compareAndSet(false, true)) {
            held.release();
        }
    }

    @Override
    public final Handle handle() {
        return held.handle();
    }

    final boolean isOf(OperationProcessor other) {
        return processor == other;
    }

    /** Requires a transfer of a file with direct access to be aligned, see {@link DirectTransfer}. */
    final void requireAligned(boolean reading, long position, long address, int length) {
        DirectTransfer.require(held, reading, position, address, length);
    }

    /** {@return the descriptor, which is open until the association has ended and its last operation has completed} */
    public final long descriptor() {
        return descriptor;
    }

    // May be called by any thread

    @Override
    public final void cancel() {
        if (processor.enterInside()) {
            try {
                processor.catchUp();
                cancelAll();
            } catch (StackOverflowError e) {
                processor.overflow = e;
                throw e;
            } finally {
                processor.leaveInside();
            }
        } else {
            // One command for each call, because operations may have been started since an earlier call.
            processor.command(new CancelCommand());
        }
    }

    @Override
    public final void prioritize(int newPriority) {
        priority = newPriority;
    }

    @Override
    public final void handOver(Object from, Object to) {
        successors = ReplacedHandlers.after(successors, from, to);
    }

    /** {@return the argument of the last {@link #prioritize}; initially 0} */
    public final int priority() {
        return priority;
    }

    /** {@return the handler that gets the completions of operations started for the given handler} */
    final @Nullable Object currentHandler(@Nullable Object claimedFor) {
        ReplacedHandlers present = successors;
        return present == null ? claimedFor : present.of(claimedFor);
    }

    @Override
    public final void end() {
        try {
            processor.forget(this);
        } finally {
            // Even if the mechanism cannot release the handle: otherwise its operations would never complete.
            endInside();
        }
    }

    private void endInside() {
        if (processor.enterInside()) {
            try {
                endNow();
            } catch (StackOverflowError e) {
                processor.overflow = e;
                throw e;
            } finally {
                processor.leaveInside();
            }
        } else if (!processor.commandOnce(endCommand.commanded, endCommand)) {
            abandon();
        }
    }

    @Override
    public final void handleClosing(Handle closing) {
        end();
    }

    // Called only inside

    final boolean hasEnded() {
        return ended;
    }

    /**
     * {@return whether the bytes of the operation would follow a gap in the stream that the program did not know of
     * when it started the operation}
     */
    final boolean isBehindGap(OperationSlot operation) {
        assert processor.isInside();
        return operation.knownGaps != gap.count && operation.arguments().continuesStream();
    }

    // Provided buffers

    /**
     * Records the size of a receive, from which {@link #prefersLargeBuffers} is predicted.
     *
     * @param bytes the number of bytes that one receive has received
     * @param more  whether more bytes were available, or may have been
     */
    public final void received(int bytes, boolean more) {
        assert processor.isInside();
        ProvidedBuffers provided = processor.memory.providedBuffers;
        if (provided.large == null) {
            return;
        }
        int bound = provided.ordinary.bytes;
        boolean filled = bytes > bound || bytes == bound && more;
        if (predictor == null && filled) {
            predictor = ReceiveSizePredictor.create();
        }
        if (predictor != null) {
            predictor.received(filled);
        }
    }

    /** {@return whether the next receive should use a large buffer; false if there are none} */
    public final boolean prefersLargeBuffers() {
        assert processor.isInside();
        return predictor != null && predictor.isLarge();
    }

    // The operations

    final void add(OperationSlot operation) {
        assert processor.isInside();
        operation.previous = last;
        operation.following = null;
        if (last == null) {
            first = operation;
        } else {
            last.following = operation;
        }
        last = operation;
        if (operation.direction() == Direction.ALONE) {
            operation.phase = OperationSlot.Phase.WAITING;
            try {
                endNow();
            } catch (RuntimeException | Error e) {
                // The next wait throws it. The operation is in flight, and nothing else would begin it.
                processor.failures.add(e);
            }
            beginNext(operation.direction());
        } else if (isTaken(operation.direction())) {
            operation.phase = OperationSlot.Phase.WAITING;
        } else {
            take(operation);
        }
    }

    private boolean isTaken(Direction direction) {
        return direction == Direction.INPUT ? input != null : direction == Direction.OUTPUT && output != null;
    }

    private void take(OperationSlot operation) {
        if (operation.direction() == Direction.INPUT) {
            input = operation;
        } else if (operation.direction() == Direction.OUTPUT) {
            output = operation;
        }
        processor.operations.toBegin(operation);
    }

    /** {@return the input operation or the output operation that is in progress; null if there is none} */
    public final @Nullable OperationSlot active(boolean ofInput) {
        assert processor.isInside();
        return ofInput ? input : output;
    }

    /**
     * {@return the first operation in flight, null if there is none; {@link OperationSlot#following()} leads to the
     * others}
     */
    public final @Nullable OperationSlot first() {
        return first;
    }

    final void remove(OperationSlot operation) {
        assert processor.isInside();
        if (operation.previous == null) {
            first = operation.following;
        } else {
            operation.previous.following = operation.following;
        }
        if (operation.following == null) {
            last = operation.previous;
        } else {
            operation.following.previous = operation.previous;
        }
        operation.previous = null;
        operation.following = null;
        if (operation == input) {
            input = null;
        } else if (operation == output) {
            output = null;
        }
        if (first != null) {
            beginNext(operation.direction());
        } else if (ended) {
            release();
        }
    }

    /** Lets the next output operation begin, although the given one, which was in progress, has not completed. */
    final void endOutput(OperationSlot operation) {
        assert processor.isInside();
        if (operation == output) {
            output = null;
            beginNext(Direction.OUTPUT);
        }
    }

    private void beginNext(Direction direction) {
        OperationSlot head = first;
        if (head != null && head == last && head.direction() == Direction.ALONE
                && head.phase == OperationSlot.Phase.WAITING) {
            take(head);
        } else if ((direction == Direction.INPUT || direction == Direction.OUTPUT) && !isTaken(direction)) {
            for (OperationSlot next = head; next != null; next = next.following) {
                if (next.direction() == direction && next.phase == OperationSlot.Phase.WAITING) {
                    take(next);
                    return;
                }
            }
        }
    }

    private void cancelAll() {
        assert processor.isInside();
        OperationSlot operation = first;
        while (operation != null) {
            // An operation that is only waiting completes immediately and leaves the list.
            OperationSlot following = operation.following;
            if (operation.direction() != Direction.ALONE) {
                operation.cancellation.begin();
            }
            operation = following;
        }
    }

    /** Ends the association. If there is not enough memory, the next call continues. */
    final void endNow() {
        assert processor.isInside();
        ended = true;
        if (endCommand.done) {
            return;
        }
        Throwable failure = null;
        try {
            processor.forget(this);
        } catch (RuntimeException | Error e) {
            failure = e;
        }
        held.removeCloseListener(this);
        cancelAll();
        if (first == null) {
            release();
        }
        endCommand.done = failure == null || !Failures.isShortage(failure);
        Failures.throwFirst(failure);
    }

    /** {@return whether the caller, a close, now owns the descriptor, because the handle has no other users} */
    final boolean surrender() {
        assert processor.isInside();
        released.set(true);
        return held.surrender() >= 0;
    }

    /** Stops using the handle. */
    final void release() {
        if (released.compareAndSet(false, true)) {
            held.release();
        }
    }

    @Override
    public final String toString() {
        return held.handle().toString();
    }

    private final class EndCommand extends Command {

        /** Whether the command has been queued, which happens once. */
        final AtomicBoolean commanded = new AtomicBoolean();
        /** Whether nothing is left to do. */
        boolean done;

        @Override
        void perform() {
            endNow();
        }
    }

    private final class CancelCommand extends Command {

        @Override
        void perform() {
            cancelAll();
        }
    }
}
