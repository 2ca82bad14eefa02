package dev.sluice.demultiplexer.operation;

import dev.sluice.deadline.Timeout;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.spi.Completions;
import dev.sluice.failure.Failures;
import dev.sluice.handle.HandleClosedException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A processor that any number of threads wait on. They wait outside, where they do not get in each other's way, and
 * enter with what the wait has brought. One thread is inside at a time, for microseconds, so the others spin.
 *
 * <p>A waiting thread is signalled when there is something that no awake thread will do: collect completions that did
 * not fit into the batch of the thread that produced them, or that were produced by a thread that does not wait; and
 * watch the earliest deadline, which one of the waiting threads does for all.
 */
public abstract class MultiThreadedProcessor extends OperationProcessor {

    /**
     * About as long as it takes the thread inside to make some system calls. A yield costs a context switch: with four
     * threads on two processors, and hooks that compute for 20 µs, there were six for each request when they yielded
     * sooner. With one processor the thread inside goes on only when the others yield.
     */
    private static final int SPINS = Runtime.getRuntime().availableProcessors() == 1 ? 0 : 1000;

    // Open to any thread
    private final AtomicBoolean inside = new AtomicBoolean();
    private final Runnable performing = this::performLeftCommandsAndSignal;
    private final Runnable performingOnly = this::performLeftCommands;
    final Runnable leaving = this::leave;

    private final WaitingThreads waiting = new WaitingThreads(this);
    private final MultiThreadedEnding end = new MultiThreadedEnding(this, waiting);

    /**
     * Creates a processor without any operations.
     *
     * @param name            by which it is chosen
     * @param vectorForm      how the system wants its vectors and messages
     * @param providedBuffers for continuous receives
     */
    protected MultiThreadedProcessor(String name, VectorForm vectorForm, ProvidedBuffers.Size providedBuffers) {
        super(name, vectorForm, providedBuffers, true);
    }

    /**
     * Makes the batch that a close collects into, since there may be no memory for it then. Must be called by the
     * subclass's constructor, once {@link #newCompletions} works.
     */
    protected final void reserveForClose() {
        end.reserve();
    }

    // What the subclass does

    @Override
    public abstract CollectedCompletions newCompletions(int capacity);

    /**
     * Waits until operations that are being executed have progressed, or for a {@link #signal()}. Called outside, by
     * any number of threads.
     *
     * @param progress     keeps what has happened for {@link #take}; from {@link #newCompletions}
     * @param timeoutNanos 0 only looks, negative means forever
     * @throws IOException if the system call fails
     */
    protected abstract void await(CollectedCompletions progress, long timeoutNanos) throws IOException;

    /**
     * Takes what the calling thread's last {@link #await} has brought, and goes on with the operations. Called inside.
     *
     * @param progress as for {@link #await}
     * @return whether there was a signal, or may have been one
     * @throws IOException if the system refuses something that the operations need to go on
     */
    protected abstract boolean take(CollectedCompletions progress) throws IOException;

    /** {@return whether {@link #take} has something to do that would not end an {@link #await}; called inside} */
    protected boolean hasToTake() {
        return false;
    }

    /**
     * Prepares for the calling thread's {@link #await}. Called inside.
     *
     * @param progress     as for {@link #await}
     * @param timeoutNanos as for {@link #await}
     * @return the timeout to wait with, which may be 0 instead
     */
    protected long beginWait(CollectedCompletions progress, long timeoutNanos) {
        return timeoutNanos;
    }

    /**
     * Gives the system what has been prepared, before the calling thread leaves other than to wait. Called inside.
     *
     * @param othersWait whether other threads wait; if not, the next wait may do it
     * @return whether one of those is needed, besides for what {@link #hasToTake} says
     */
    protected boolean handOver(boolean othersWait) {
        return false;
    }

    /** Ends an {@link #await}: one that is going on, or else the next one. Called inside. */
    protected abstract void signal();

    /** {@return the timeouts; the subclass adds those that begin and removes those that are cancelled} */
    protected final Deadlines deadlines() {
        return waiting.deadlines();
    }

    // Going in and out

    @Override
    final boolean enterInside() {
        return isInside();
    }

    @Override
    final void leaveInside() {
        // It was inside already.
    }

    private boolean tryEnter() {
        Thread current = Thread.currentThread();
        // Looking first spares the thread inside the loss of its cache line at each turn of a spinning thread.
        if (inside.get() || !inside.compareAndSet(false, true)) {
            return false;
        }
        // No call follows, for which there might be no stack.
        holder = current;
        return true;
    }

    final void enter() {
        for (int spins = 0; !isInside() && !tryEnter(); spins++) {
            pause(spins);
        }
    }

    private static void pause(int spins) {
        if (spins < SPINS) {
            Thread.onSpinWait();
        } else {
            // The thread inside may have lost its processor.
            Thread.yield();
        }
    }

    private void leave() {
        try {
            exit();
        } finally {
            performLeftCommandsAndSignal();
        }
    }

    private void performLeftCommandsAndSignal() {
        try {
            performLeftCommands();
        } finally {
            waiting.repeatRefusedSignal();
        }
    }

    /** Enters, unless another thread is inside, and does what each exit does. */
    final void exitAgain() {
        if (tryEnter()) {
            exit();
            // Threads that found this one inside have left their commands to it.
            performLeftCommands();
        }
    }

    /** A thread that found another one inside has left a command, and no other thread may come for a long time. */
    private void performLeftCommands() {
        Throwable failure = null;
        while (!commands.isEmpty() && tryEnter()) {
            try {
                advanceAndExit();
            } catch (RuntimeException | Error e) {
                failure = Failures.and(failure, e);
            }
        }
        Failures.throwFirst(failure);
    }

    private void advanceAndExit() {
        try {
            advance();
        } catch (StackOverflowError e) {
            overflow = e;
            throw e;
        } finally {
            exit();
        }
    }

    private void exit() {
        try {
            if (end.isClosing()) {
                end.exiting();
            } else if (waiting.needSignal(handOver(!waiting.isEmpty()))) {
                waiting.signalOnce();
            }
        } finally {
            unlock();
        }
    }

    /** {@return whether there is something to do inside, be it what there was no memory for before} */
    final boolean hasToDo() {
        return hasCompleted() || hasToTake() || commands.deferred != null || cancelsAgain;
    }

    private void unlock() {
        Thread leaving = holder;
        holder = null;
        boolean left = false;
        try {
            inside.set(false);
            left = true;
        } finally {
            // No call follows, for which there might be no stack either; it leaves after its next wait.
            if (!left) {
                holder = leaving;
            }
        }
    }

    /**
     * Signals one of the waiting threads, if there are any. A signal that the system refuses is repeated as soon as the
     * caller is outside. Called inside.
     *
     * @return whether one is signalled
     */
    protected final boolean signalAWaiter() {
        return waiting.signal();
    }

    private void advance() {
        try {
            commands.performAll();
        } finally {
            cancelAgain();
            operations.beginAll();
            OperationSlot due;
            while ((due = waiting.deadlines().pollDue()) != null) {
                operations.complete(due, 0);
            }
        }
    }

    @Override
    final boolean leaveCommand(Command command) {
        boolean accepted = commands.push(command);
        if (accepted) {
            // The thread that left the command must not think that it was refused.
            failures.guard(performing);
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
        enterToWait();
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
            // What has been collected belongs to the caller.
            failures.guard(leaving);
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

    private void requireNotClosing() throws HandleClosedException {
        if (end.isClosing()) {
            throw new HandleClosedException(toString());
        }
    }

    private void enterToWait() throws HandleClosedException {
        // It is inside already if there was no stack for the call that should have left.
        for (int spins = 0; !isInside() && !tryEnter(); spins++) {
            // The closing thread stays inside.
            requireNotClosing();
            pause(spins);
        }
        if (end.isClosing()) {
            leave();
            requireNotClosing();
        }
    }

    /** Leaves to wait, and enters again with what the wait has brought. */
    private void awaitOutside(CollectedCompletions batch, long timeoutNanos) throws IOException {
        ProvidedBuffers provided = memory.providedBuffers;
        if (provided.taken >= provided.available && completed.isEmpty()) {
            provided.logExhaustion();
        }
        long bound = beginWait(batch, waiting.add(timeoutNanos, hasToDo() || wakeUpRequested.get()));
        unlock();
        try {
            performLeftCommands();
            await(batch, bound);
        } finally {
            enter();
            waiting.removeCurrent();
            // Even if the wait has failed, since it may have found something before that.
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
        if (waiting.leaveSignal()) {
            try {
                // The next wait throws what the commands of other threads throw: the caller has not caused it.
                failures.guard(performingOnly);
            } finally {
                waiting.repeatRefusedSignal();
            }
        }
    }

    // The end

    /** Called by a close alone. */
    @Override
    protected final void execute(long timeoutNanos) throws IOException {
        end.execute();
    }

    @Override
    final boolean tryClose(Consumer<? super Completion> rest) {
        return end.tryClose(rest);
    }

    /** Called once no thread waits any more. */
    final void closeInside() {
        enter();
        try {
            ending.close();
        } finally {
            if (isClosed()) {
                // No other thread can enter any more.
                holder = null;
            } else {
                unlock();
            }
        }
    }

    @Override
    final void releaseReserved() {
        end.releaseReserved();
    }
}
