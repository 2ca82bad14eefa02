package dev.sluice.mechanism.operation;

import dev.sluice.demultiplexer.Association;
import dev.sluice.handle.CloseListener;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A handle's operations, in the order they were accepted. Inside alone, but for what is said to be
 * for any thread.
 */
public class HandleAssociation implements Association, CloseListener {

    private final OperationProcessor processor;
    private final Handle handle;
    private final long descriptor;
    private NativeOperation first;
    private NativeOperation last;
    private NativeOperation input;
    private NativeOperation output;
    private boolean ended;
    private CompletionLine completions;
    /** The continuous receive that waits until some of the buffers it has taken are back, or null. */
    NativeOperation paused;
    /** How many provided buffers it has received into that are not back, kept or not. */
    int taken;
    /** How many provided buffers are kept that it has received into. May be used by any thread. */
    final AtomicInteger kept = new AtomicInteger();
    private final AtomicBoolean released = new AtomicBoolean();

    private final Command cancelCommand = new Command() {
        @Override
        void perform() {
            cancelCommanded.set(false);
            cancelAll();
        }
    };
    private final AtomicBoolean cancelCommanded = new AtomicBoolean();

    private final Command endCommand = new Command() {
        @Override
        void perform() {
            endNow();
        }
    };
    private final AtomicBoolean endCommanded = new AtomicBoolean();

    /**
     * Becomes a user of the handle.
     *
     * @param processor whose association it is
     * @param handle    which handle
     * @throws HandleClosedException if the handle is closed
     */
    public HandleAssociation(OperationProcessor processor, Handle handle) throws HandleClosedException {
        this.processor = processor;
        this.handle = handle;
        this.descriptor = handle.acquire();
    }

    /** From any thread, with nothing in flight and nobody inside who could end it. */
    protected final void abandon() {
        processor.ending(this);
        handle.removeCloseListener(this);
        if (released.compareAndSet(false, true)) {
            handle.release();
        }
    }

    @Override
    public final Handle handle() {
        return handle;
    }

    final boolean isOf(OperationProcessor other) {
        return processor == other;
    }

    /** {@return the descriptor, open until the last operation has completed after the end} */
    public final long descriptor() {
        return descriptor;
    }

    // From any thread

    @Override
    public final void cancel() {
        if (processor.enterInside()) {
            try {
                processor.catchUp();
                cancelAll();
            } finally {
                processor.leaveInside();
            }
        } else if (cancelCommanded.compareAndSet(false, true)) {
            processor.command(cancelCommand);
        }
    }

    @Override
    public final void end() {
        processor.forget(this);
        if (processor.enterInside()) {
            try {
                endNow();
            } finally {
                processor.leaveInside();
            }
        } else if (endCommanded.compareAndSet(false, true) && !processor.command(endCommand)) {
            abandon();
        }
    }

    @Override
    public final void handleClosing(Handle closing) {
        end();
    }

    // Inside

    final boolean hasEnded() {
        return ended;
    }

    /** {@return its completions that a thread keeps from all others, for a queue that several threads collect from} */
    final CompletionLine completions() {
        if (completions == null) {
            completions = new CompletionLine();
        }
        return completions;
    }

    final void add(NativeOperation operation) {
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
            operation.phase = NativeOperation.Phase.WAITING;
            endNow();
            beginNext(operation.direction());
        } else if (isTaken(operation.direction())) {
            operation.phase = NativeOperation.Phase.WAITING;
        } else {
            take(operation);
        }
    }

    private boolean isTaken(Direction direction) {
        return direction == Direction.INPUT ? input != null : direction == Direction.OUTPUT && output != null;
    }

    private void take(NativeOperation operation) {
        if (operation.direction() == Direction.INPUT) {
            input = operation;
        } else if (operation.direction() == Direction.OUTPUT) {
            output = operation;
        }
        processor.toBegin(operation);
    }

    /** {@return the operation of input, or else of output, that is under way; null if there is none} */
    public final NativeOperation active(boolean ofInput) {
        assert processor.isInside();
        return ofInput ? input : output;
    }

    /** {@return the first operation in flight, which leads to the others by {@link NativeOperation#following()}} */
    public final NativeOperation first() {
        return first;
    }

    final void remove(NativeOperation operation) {
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
                && first.phase == NativeOperation.Phase.WAITING) {
            take(first);
        } else if ((direction == Direction.INPUT || direction == Direction.OUTPUT) && !isTaken(direction)) {
            for (NativeOperation next = first; next != null; next = next.following) {
                if (next.direction() == direction && next.phase == NativeOperation.Phase.WAITING) {
                    take(next);
                    return;
                }
            }
        }
    }

    private void cancelAll() {
        assert processor.isInside();
        NativeOperation operation = first;
        while (operation != null) {
            // One that only waits completes at once and leaves the list.
            NativeOperation following = operation.following;
            if (operation.direction() != Direction.ALONE) {
                processor.cancelAccepted(operation);
            }
            operation = following;
        }
    }

    final void endNow() {
        assert processor.isInside();
        if (!ended) {
            ended = true;
            processor.forget(this);
            handle.removeCloseListener(this);
            cancelAll();
            if (first == null) {
                release();
            }
        }
    }

    /** For a close: leaves the descriptor to the caller, if nobody else uses it. */
    final long surrender() {
        assert processor.isInside();
        released.set(true);
        return handle.surrender();
    }

    private void release() {
        if (released.compareAndSet(false, true)) {
            handle.release();
        }
    }

    @Override
    public final String toString() {
        return handle.toString();
    }
}
