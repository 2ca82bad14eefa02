package dev.sluice.demultiplexer.operation;

import dev.sluice.deadline.Timeout;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.handleset.RepeatedCall;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.handle.HandleClosedException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A processor that belongs to one loop thread. Only that thread is inside, and shares no state with others there. */
public abstract class SingleThreadedProcessor extends OperationProcessor {

    private final AtomicBoolean inside = new AtomicBoolean();
    /** The number of times that the holder has entered again. */
    private int depth;
    private volatile @Nullable Thread loopThread;
    private final AtomicBoolean waiting = new AtomicBoolean();
    private volatile boolean closeRequested;
    private volatile boolean closing;
    private final Runnable signallingOnce = this::signal;
    private final Runnable signalling = () -> RepeatedCall.run(signallingOnce);
    private final Runnable performing = commands::performAll;

    /**
     * Creates a processor without any operations.
     *
     * @param name            the name by which the demultiplexer is chosen
     * @param providedBuffers the sizes of the buffers for continuous receives
     */
    protected SingleThreadedProcessor(String name, ProvidedBuffers.Size providedBuffers) {
        super(name, VectorForm.POSIX, providedBuffers, false);
    }

    /**
     * Ends the {@link #execute} of the loop thread, the current one or else the next. May be called by any thread, even
     * after the disposal.
     */
    protected abstract void signal();

    /**
     * Requires that the calling thread can become the loop thread.
     *
     * @throws IllegalStateException if the mechanism does not support the thread
     */
    protected void requireLoopThread() {
    }

    @Override
    final boolean enterInside() {
        Thread current = Thread.currentThread();
        if (holder == current) {
            depth++;
            return true;
        }
        return loopThread == current && enterBetweenWaits(current);
    }

    /**
     * Enters between two waits. Fails if another thread is closing the processor, which it may do if no operation is in
     * flight.
     */
    private boolean enterBetweenWaits(Thread current) {
        while (!inside.compareAndSet(false, true)) {
            if (closing) {
                return false;
            }
            Thread.onSpinWait();
        }
        if (loopThread != current) {
            inside.set(false);
            return false;
        }
        holder = current;
        return true;
    }

    @Override
    final void leaveInside() {
        if (depth > 0) {
            depth--;
        } else {
            Thread leaving = holder;
            holder = null;
            boolean left = false;
            try {
                inside.setRelease(false);
                left = true;
            } finally {
                // No call follows, because there might be no stack for it. The thread leaves after its next wait.
                if (!left) {
                    holder = leaving;
                }
            }
        }
    }

    @Override
    final boolean queueCommand(Command command) {
        boolean accepted = commands.push(command);
        if (accepted && waiting.get()) {
            // An exception is kept for the next wait: the caller must not conclude that the command was refused.
            failures.guard(signalling);
        }
        return accepted;
    }

    @Override
    final void start(OperationSlot operation) {
        if (!enterInside()) {
            startFromOutside(operation);
            return;
        }
        try {
            if (shutDown) {
                throw refusal();
            }
            catchUp();
            operations.start(operation);
        } finally {
            try {
                leaveInside();
            } catch (StackOverflowError e) {
                // The operation is in flight, and the thread leaves after its next wait.
            }
        }
    }

    /**
     * {@inheritDoc} Operations that other threads started earlier come first: the bytes of a stream must be in the
     * order of the starts, which may depend on each other.
     */
    @Override
    final void catchUp() {
        if (hasCommands()) {
            failures.guard(performing);
        }
    }

    /** {@return whether there are commands to perform, or commands for which there was no memory} */
    private boolean hasCommands() {
        return commands.top.get() != null || commands.deferred != null;
    }

    @Override
    public final boolean isMultiThreaded() {
        return false;
    }

    @Override
    public final Completions newCompletions(int capacity) {
        return new CollectedCompletions(this, capacity);
    }

    // Waiting

    @Override
    public final int awaitCompletions(Completions completions, long timeoutNanos) throws IOException {
        CollectedCompletions batch = CollectedCompletions.require(completions, this);
        batch.clear();
        enter();
        try {
            if (overflow != null) {
                throw interrupted();
            }
            long begin = timeoutNanos > 0 ? Timeout.begin(timeoutNanos) : 0;
            long left = timeoutNanos;
            while (true) {
                executeOnce(left);
                if (failures.first.get() != null) {
                    failures.throwKept();
                }
                boolean wokenUp = wakeUpRequested.get() && wakeUpRequested.getAndSet(false);
                if (wokenUp || !completed.isEmpty()) {
                    completed.collect(batch);
                    return batch.size();
                }
                if (timeoutNanos >= 0) {
                    left = Timeout.remaining(timeoutNanos, begin);
                    if (left == 0) {
                        return 0;
                    }
                }
            }
        } finally {
            leaveInside();
        }
    }

    private void enter() throws HandleClosedException {
        if (shutDown) {
            requireOpen();
        }
        if (holder == Thread.currentThread()) {
            // There was no stack for the last call that should have left.
            depth = 0;
            return;
        }
        // A thread that is refused below leaves immediately. Only another loop thread and a closing thread stay inside.
        while (!inside.compareAndSet(false, true)) {
            Thread loop = loopThread;
            if (closing) {
                throw new HandleClosedException(toString());
            }
            if (loop != null && loop != Thread.currentThread()) {
                throw new IllegalStateException(this + " belongs to " + loop);
            }
            Thread.onSpinWait();
        }
        Thread current = Thread.currentThread();
        if (loopThread != current) {
            // After a shutdown another thread may collect the remaining completions, if the loop thread has terminated.
            boolean replaces = loopThread == null || shutDown && !loopThread.isAlive();
            try {
                requireOpen();
                if (!replaces) {
                    throw new IllegalStateException(this + " belongs to " + loopThread);
                }
                requireLoopThread();
                loopThread = current;
            } finally {
                if (loopThread != current) {
                    inside.set(false);
                }
            }
        }
        holder = current;
    }

    private void executeOnce(long timeoutNanos) throws IOException {
        if (closeRequested) {
            ending.close();
            throw new HandleClosedException(toString());
        }
        if (hasCommands()) {
            commands.performAll();
        }
        if (cancelsAgain) {
            cancelAgain();
        }
        operations.beginAll();
        ProvidedBuffers provided = memory.providedBuffers;
        if (provided.taken >= provided.available && completed.isEmpty()) {
            provided.logExhaustion();
        }
        if (timeoutNanos == 0 || !completed.isEmpty()) {
            execute(0);
        } else {
            waiting.set(true);
            // A thread that queues a command after this check sees that it must signal.
            boolean ready = hasToDo();
            try {
                execute(ready ? 0 : timeoutNanos);
            } finally {
                // Without a fence: a thread that sees this too late ends the next wait, which performs its command in
                // any case.
                waiting.lazySet(false);
            }
        }
    }

    private boolean hasToDo() {
        return hasCommands() || cancelsAgain || wakeUpRequested.get() || closeRequested;
    }

    @Override
    public final void wakeUp() {
        wakeUpRequested.set(true);
        if (waiting.get()) {
            signal();
        }
    }

    // The end

    @Override
    final boolean tryClose(Consumer<? super Completion> rest) {
        ending.setRestConsumer(rest);
        if (!inside.compareAndSet(false, true)) {
            // The thread inside may be leaving and not see the request, so the caller tries again.
            closeRequested = true;
            RepeatedCall.runUntilAccepted(signallingOnce);
            return false;
        }
        try {
            closeInside();
        } finally {
            inside.set(false);
        }
        return true;
    }

    private void closeInside() {
        if (!isClosed()) {
            Thread loop = loopThread;
            if (loop != null && loop != Thread.currentThread() && inFlight() > 0 && loop.isAlive()) {
                closeRequested = false;
                throw new IllegalStateException(this + " has operations in flight that only its loop thread " + loop
                        + " can cancel: close it on that thread, while it waits, or after it has terminated");
            }
            closing = true;
            loopThread = Thread.currentThread();
            holder = loopThread;
            try {
                ending.close();
            } finally {
                holder = null;
            }
        }
    }
}
