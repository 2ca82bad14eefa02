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

/**
 * A handle's operations, in the order they were accepted. Used only inside, except for the parts marked as open to any
 * thread.
 */
public class HandleAssociation implements Association, CloseListener {

    private final OperationProcessor processor;
    private final Descriptor held;
    private final long descriptor;
    private OperationSlot first;
    private OperationSlot last;
    private OperationSlot input;
    private OperationSlot output;
    private boolean ended;
    private boolean endDone;
    /** The line of its completions while a batch holds the handle. */
    final CompletionLine completions = new CompletionLine();
    /** The continuous receive that waits until some of the buffers it has filled are back, or null. */
    OperationSlot paused;
    /** Whether it is in the line of those that wait until other connections have given buffers back. */
    boolean awaitsOthers;
    /** The one after it in that line. */
    HandleAssociation nextAwaiting;
    /** Made when it first fills a buffer, which most connections never do. */
    private ReceiveSizePredictor guess;
    /** Number of provided buffers that it has received into are not back yet, kept or not. */
    int taken;
    private final AtomicBoolean released = new AtomicBoolean();
    /** Written by any thread. */
    private volatile int priority;
    /** In the output. */
    final StreamGap gap = new StreamGap();
    /** Null until a handler is replaced. Not volatile: it is written between the completions of this handle. */
    private ReplacedHandlers successors;

    private final EndCommand endCommand = new EndCommand();

    /**
     * Becomes a user of the handle.
     *
     * @param processor the processor that it belongs to
     * @param handle    the handle
     * @throws HandleClosedException if the handle is closed
     */
    public HandleAssociation(OperationProcessor processor, Handle handle) throws HandleClosedException {
        this.processor = processor;
        this.held = Descriptors.of(handle);
        this.descriptor = held.acquire();
    }

    /**
     * It takes no more operations; what is in flight on it is about to be cancelled. Called by any thread, perhaps more
     * than once, and before the handle can be associated again.
     */
    protected void ending() {
    }

    /** Open to any thread, when nothing is in flight and no thread inside could end it. */
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

    /** {@return whether it is a file that is accessed directly} */
    final boolean isDirect() {
        return held.alignment() != null;
    }

    /** Refuses a transfer of such a file as {@link DirectTransfer} says. */
    final void requireAligned(boolean reading, long position, long address, int length) {
        DirectTransfer.require(held, reading, position, address, length);
    }

    /** {@return the descriptor, open until the last operation has completed after the end} */
    public final long descriptor() {
        return descriptor;
    }

    // Open to any thread

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
            // One for each call: what was started after an earlier one is to be cancelled, too.
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

    /** {@return what {@link #prioritize} was given last, 0 at first} */
    public final int priority() {
        return priority;
    }

    /** {@return who gets what was started for a handler} */
    final Object currentHandler(Object claimedFor) {
        ReplacedHandlers present = successors;
        return present == null ? claimedFor : present.of(claimedFor);
    }

    @Override
    public final void end() {
        try {
            processor.forget(this);
        } finally {
            // Also if the mechanism cannot release the handle, or its operations would never complete.
            haveEnded();
        }
    }

    private void haveEnded() {
        if (processor.enterInside()) {
            try {
                endNow();
            } catch (StackOverflowError e) {
                processor.overflow = e;
                throw e;
            } finally {
                processor.leaveInside();
            }
        } else if (endCommand.left.compareAndSet(false, true) && !processor.command(endCommand)) {
            abandon();
        }
    }

    @Override
    public final void handleClosing(Handle closing) {
        end();
    }

    // Only inside

    final boolean hasEnded() {
        return ended;
    }

    /**
     * {@return whether the peer would miss something in front of what the operation sends, of which the program did not
     * know when it started the operation}
     */
    final boolean isBehindGap(OperationSlot operation) {
        assert processor.isInside();
        return operation.knownGaps != gap.count && operation.arguments().continuesStream();
    }

    // Provided buffers

    /**
     * Learns what {@link #prefersLargeBuffers} says.
     *
     * @param bytes the number of bytes that a continuous receive has received at once
     * @param more  whether there were more, or it would take a call to know
     */
    public final void received(int bytes, boolean more) {
        assert processor.isInside();
        ProvidedBuffers provided = processor.memory.providedBuffers;
        if (provided.large == null) {
            return;
        }
        int bound = provided.ordinary.bytes;
        boolean filled = bytes > bound || bytes == bound && more;
        if (guess == null && filled) {
            guess = new ReceiveSizePredictor();
        }
        if (guess != null) {
            guess.received(filled);
        }
    }

    /** {@return whether a large buffer is worth its memory for what comes next; false if there are none} */
    public final boolean prefersLargeBuffers() {
        assert processor.isInside();
        return guess != null && guess.isLarge();
    }

    /**
     * {@return whether it cannot exceed its share, even if the system receives into all offered buffers for it, and
     * into their replacements before the system stops the receive}
     */
    public final boolean mayTakeAllOffered() {
        ProvidedBuffers provided = processor.memory.providedBuffers;
        return !provided.limited || taken + 2 * provided.maxOffered <= provided.maxRetained;
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
                // The next wait tells it. The operation is in flight, and nothing else would ever begin it.
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

    /** {@return the input operation, or else the output operation, that is under way; null if there is none} */
    public final OperationSlot active(boolean ofInput) {
        assert processor.isInside();
        return ofInput ? input : output;
    }

    /** {@return the first operation in flight, from which {@link OperationSlot#following()} leads to the others} */
    public final OperationSlot first() {
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

    private void beginNext(Direction direction) {
        if (first == last && first.direction() == Direction.ALONE
                && first.phase == OperationSlot.Phase.WAITING) {
            take(first);
        } else if ((direction == Direction.INPUT || direction == Direction.OUTPUT) && !isTaken(direction)) {
            for (OperationSlot next = first; next != null; next = next.following) {
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
            // An operation that is only waiting completes at once and leaves the list.
            OperationSlot following = operation.following;
            if (operation.direction() != Direction.ALONE) {
                operation.cancellation.begin();
            }
            operation = following;
        }
    }

    /** Ends it, once; what there was no memory for is done by the next call. */
    final void endNow() {
        assert processor.isInside();
        ended = true;
        if (endDone) {
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
        endDone = failure == null || !Failures.isShortage(failure);
        Failures.throwFirst(failure);
    }

    /** {@return for a close: whether the descriptor now belongs to the caller, as it has no other users} */
    final boolean surrender() {
        assert processor.isInside();
        released.set(true);
        return held.surrender() >= 0;
    }

    /** No longer uses the handle. */
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

        /** Whether it has been left, which it is once. */
        final AtomicBoolean left = new AtomicBoolean();

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
