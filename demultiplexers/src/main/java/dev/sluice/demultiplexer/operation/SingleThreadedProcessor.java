package dev.sluice.demultiplexer.operation;

import dev.sluice.deadline.Timeout;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.handleset.RepeatedCall;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.handle.HandleClosedException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A processor that belongs to one loop thread; only that thread is inside, where it shares nothing with others. */
public abstract class SingleThreadedProcessor extends OperationProcessor {

    private final AtomicBoolean inside = new AtomicBoolean();
    /** How many more times the holder has entered. */
    private int depth;
    private volatile Thread loopThread;
    private final AtomicBoolean waiting = new AtomicBoolean();
    private volatile boolean closeRequested;
    private volatile boolean closing;
    private final Runnable signallingOnce = this::signal;
    private final Runnable signalling = () -> RepeatedCall.run(signallingOnce);
    private final Runnable performing = commands::performAll;

    /**
     * Creates a processor without any operations.
     *
     * @param name            by which it is chosen
     * @param providedBuffers for continuous receives
     */
    protected SingleThreadedProcessor(String name, ProvidedBuffers.Size providedBuffers) {
        super(name, VectorForm.POSIX, providedBuffers, false);
    }

    /**
     * Ends the loop thread's {@link #execute}, the current one or else the next. Open to any thread, even after the
     * disposal.
     */
    protected abstract void signal();

    /**
     * Refuses to let the calling thread become the loop thread if the mechanism cannot work with it.
     *
     * @throws IllegalStateException if so
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
     * Enters between two waits. Fails if another thread is closing, which it may do as long as nothing is in flight.
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
                // No call follows, for which there might be no stack either; it leaves after its next wait.
                if (!left) {
                    holder = leaving;
                }
            }
        }
    }

    @Override
    final boolean leaveCommand(Command command) {
        boolean accepted = commands.push(command);
        if (accepted && waiting.get()) {
            // The thread that left the command must not think that it was refused.
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
                // The operation is in flight nevertheless, and the thread leaves after its next wait.
            }
        }
    }

    /**
     * What other threads have started earlier comes first: the loop thread may know from them that they have, and the
     * bytes of a stream must be in the order of the starts.
     */
    @Override
    final void catchUp() {
        if (hasCommands()) {
            failures.guard(performing);
        }
    }

    /** {@return whether other threads have left something, or something is left that there was no memory for} */
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
            // There was no stack for the call that should have left.
            depth = 0;
            return;
        }
        // A thread that is refused inside leaves at once; only another loop thread and a closing thread stay.
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
            // After the shutdown another thread may collect what is left.
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
            // A thread that comes after this check sees that it must signal.
            boolean ready = hasToDo();
            try {
                execute(ready ? 0 : timeoutNanos);
            } finally {
                // Without a fence: a thread that sees this too late ends the next wait, which would see what was left
                // anyway.
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
        ending.leaveRestTo(rest);
        if (!inside.compareAndSet(false, true)) {
            // The thread inside may be leaving, and not see the request.
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
