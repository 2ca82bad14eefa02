package dev.sluice.demultiplexer.operation;

import dev.sluice.deadline.Timeout;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.handle.HandleClosedException;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * A processor that any number of threads wait on. They wait outside, concurrently, and enter with the result of the
 * wait. One thread is inside at a time, for microseconds, so the others spin.
 *
 * <p>A waiting thread is signalled if there is something to do that no other thread will do: to collect completions for
 * which the batch of the thread that produced them has no space, or that were produced by a thread that does not wait;
 * or to wait until the earliest deadline, which one of the waiting threads does for all.
 */
public abstract class MultiThreadedProcessor extends OperationProcessor {

    final Entrance entrance = new Entrance(this);
    private final WaitingThreads waiting = new WaitingThreads(this);
    private final MultiThreadedEnding end = new MultiThreadedEnding(this, waiting);

    /**
     * Creates a processor without any operations.
     *
     * @param name            the name by which the demultiplexer is chosen
     * @param vectorForm      the form of the vectors and messages of the system
     * @param providedBuffers the sizes of the buffers for continuous receives
     */
    protected MultiThreadedProcessor(String name, VectorForm vectorForm, ProvidedBuffers.Size providedBuffers) {
        super(name, vectorForm, providedBuffers, true);
    }

    /**
     * Allocates the batch that a close collects into, because there may be no memory for it then. Must be called by the
     * constructor of the subclass, once {@link #newCompletions} works.
     */
    protected final void reserveForClose() {
        end.reserve();
    }

    // Implemented by the subclass

    @Override
    public abstract CollectedCompletions newCompletions(int capacity);

    /**
     * Waits until operations have progressed, or for a {@link #signal()}. Called outside, by any number of threads.
     *
     * @param progress     a batch of {@link #newCompletions}, which keeps the result of the wait for {@link #take}
     * @param timeoutNanos the maximum time to wait; 0 for no wait, negative for no limit
     * @throws IOException if the system call fails
     */
    protected abstract void await(CollectedCompletions progress, long timeoutNanos) throws IOException;

    /**
     * Handles the result of the calling thread's last {@link #await}, and continues the operations that have
     * progressed. Called inside, after a wait that has failed, too.
     *
     * @param progress as for {@link #await}
     * @return whether a signal ended the wait, or may have
     * @throws IOException if the system refuses a call that the operations need
     */
    protected abstract boolean take(CollectedCompletions progress) throws IOException;

    /** {@return whether {@link #take} has something to do that does not end an {@link #await}} Called inside. */
    protected boolean hasToTake() {
        return false;
    }

    /**
     * Prepares for the calling thread's {@link #await}. Called inside.
     *
     * @param progress     as for {@link #await}
     * @param timeoutNanos as for {@link #await}
     * @return the timeout to wait with: the given one or 0
     */
    protected long beginWait(CollectedCompletions progress, long timeoutNanos) {
        return timeoutNanos;
    }

    /**
     * Submits prepared calls to the system, when the calling thread leaves without waiting. Called inside.
     *
     * @param othersWait whether other threads wait; if not, the calls may be left to the next wait
     * @return whether a waiting thread is needed, for other reasons than {@link #hasToTake}
     */
    protected boolean handOver(boolean othersWait) {
        return false;
    }

    /** Ends an {@link #await}: a current one, or else the next. Called inside. */
    protected abstract void signal();

    /**
     * {@return the pending timeouts, to which the subclass adds those that begin, and from which it removes those that
     * are cancelled}
     */
    protected final Deadlines deadlines() {
        return waiting.deadlines();
    }

    // The inside

    @Override
    final boolean enterInside() {
        return isInside();
    }

    @Override
    final void leaveInside() {
        // A thread that has entered this way was inside before.
    }

    /** Called inside by a thread that exits: signals a waiting thread if there is something to do that needs one. */
    final void exiting() {
        if (end.isClosing()) {
            end.exiting();
        } else if (waiting.needSignal(handOver(!waiting.isEmpty()))) {
            waiting.signalOnce();
        }
    }

    /** {@return whether there is something to do inside, including what there was no memory for before} */
    final boolean hasToDo() {
        return hasCompleted() || hasToTake() || commands.deferred != null || cancelsAgain;
    }

    /**
     * Signals a waiting thread, if there is one. A signal that the system refuses is repeated as soon as the caller is
     * outside. Called inside.
     *
     * @return whether a thread has been signalled
     */
    protected final boolean signalAWaiter() {
        return waiting.signal();
    }

    /** Performs commands, begins operations, and completes timeouts that have expired. Called inside. */
    final void advance() {
        try {
            commands.performAll();
        } finally {
            cancelAgain();
            operations.beginAll();
            waiting.deadlines().resumeDue();
        }
    }

    @Override
    final boolean queueCommand(Command command) {
        boolean accepted = commands.push(command);
        if (accepted) {
            // An exception is kept for the next wait: the caller must not conclude that the command was refused.
            failures.guard(entrance.performing);
        }
        return accepted;
    }

    @Override
    final void start(OperationSlot operation) {
        startFromOutside(operation);
    }

    @Override
    public final boolean isMultiThreaded() {
        return true;
    }

    // Waiting

    @Override
    public final int awaitCompletions(Completions completions, long timeoutNanos) throws IOException {
        CollectedCompletions batch = CollectedCompletions.require(completions, this);
        requireNotClosing();
        batch.clear();
        long begin = Timeout.begin(timeoutNanos);
        long left = timeoutNanos;
        entrance.enterToWait();
        try {
            if (overflow != null) {
                throw interrupted();
            }
            completed.release(batch);
            advance();
            if (collectAtOnce(batch)) {
                return batch.size();
            }
            while (true) {
                awaitOutside(batch, left);
                requireNotClosing();
                advance();
                failures.throwKept();
                left = Timeout.remaining(timeoutNanos, begin);
                boolean wokenUp = wakeUpRequested.get() && wakeUpRequested.getAndSet(false);
                completed.collect(batch);
                if (wokenUp || batch.size() > 0 || left == 0) {
                    return batch.size();
                }
            }
        } finally {
            // An exception is kept for the next wait: the caller must get the completions that have been collected.
            failures.guard(entrance.leaving);
        }
    }

    private boolean collectAtOnce(CollectedCompletions batch) {
        if (!batch.maySkipWait(waiting.isEmpty())) {
            return false;
        }
        failures.throwKept();
        completed.collect(batch);
        batch.skippedWait();
        return batch.size() > 0;
    }

    final boolean isClosing() {
        return end.isClosing();
    }

    final void requireNotClosing() throws HandleClosedException {
        if (isClosing()) {
            throw new HandleClosedException(toString());
        }
    }

    /** Leaves in order to wait, and enters again with the result of the wait. */
    private void awaitOutside(CollectedCompletions batch, long timeoutNanos) throws IOException {
        ProvidedBuffers provided = memory.providedBuffers;
        if (provided.taken >= provided.available && completed.isEmpty()) {
            provided.logExhaustion();
        }
        long bound = waiting.add(timeoutNanos, hasToDo() || wakeUpRequested.get());
        try {
            bound = beginWait(batch, bound);
            entrance.unlock();
            entrance.performQueuedCommands();
            await(batch, bound);
        } finally {
            // The thread is still inside if the preparation has failed.
            entrance.enter();
            waiting.removeCurrent();
            // Even if the wait has failed, because it may have a result nevertheless.
            takeProgress(batch);
        }
    }

    private void takeProgress(CollectedCompletions batch) throws IOException {
        boolean signalTaken = true;
        long before = completed.arrivals();
        try {
            signalTaken = take(batch);
        } finally {
            batch.waited(completed.arrivals() > before);
            if (signalTaken) {
                waiting.signalTaken();
            }
        }
    }

    @Override
    public final void wakeUp() {
        wakeUpRequested.set(true);
        if (waiting.queueSignal()) {
            try {
                // Exceptions of commands of other threads, which the caller has not caused, are kept for the next wait.
                failures.guard(entrance.performingOnly);
            } finally {
                waiting.repeatRefusedSignal();
            }
        }
    }

    /** Repeats a signal that the system has refused. Called outside. */
    final void repeatRefusedSignal() {
        waiting.repeatRefusedSignal();
    }

    // The end

    /** {@inheritDoc} Called only by a close. */
    @Override
    protected final void execute(long timeoutNanos) throws IOException {
        end.execute();
    }

    @Override
    final boolean tryClose(Consumer<? super Completion> rest) {
        return end.tryClose(rest);
    }

    /** Enters and closes the processor, on which no thread waits any more. */
    final void closeInside() {
        entrance.enter();
        try {
            ending.close();
        } finally {
            if (isClosed()) {
                // No other thread can enter any more.
                holder = null;
            } else {
                entrance.unlock();
            }
        }
    }

    @Override
    final void releaseReserved() {
        end.releaseReserved();
    }
}
