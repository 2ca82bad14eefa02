package dev.sluice.mechanism.operation;

import dev.sluice.deadline.Timeout;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.Completions;
import dev.sluice.demultiplexer.HandleSetKind;
import dev.sluice.failure.Failures;
import dev.sluice.failure.StackReserve;
import dev.sluice.handle.HandleClosedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A processor that any number of threads wait on. They wait outside, where they do not get in each other's way, and
 * enter with what the wait has brought. One thread is inside at a time, for microseconds, so the others spin.
 *
 * <p>A waiting thread is signalled when there is something that no awake thread will do: collect completions that did
 * not fit into the room of the thread that produced them, or that were produced by a thread that does not wait; and
 * watch the earliest deadline, which one of the waiting threads does for all.
 */
public abstract class SharedProcessor extends OperationProcessor {

    /**
     * About as long as it takes the thread inside to make some system calls. A yield costs a context switch: with four
     * threads on two processors, and hooks that compute for 20 µs, there were six for each request when they yielded
     * sooner. With one processor the thread inside goes on only when the others yield.
     */
    private static final int SPINS = Runtime.getRuntime().availableProcessors() == 1 ? 0 : 1000;
    /** How often a signal that the system refuses is repeated, and after what pause. */
    private static final int SIGNALS = 100;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    /** If one operation after the other completes at once, somebody has to look for others all the same. */
    static final int MOST_SPARED = 8;
    /**
     * While no thread waits, those who have become ready must get their turn as soon as those whose operations complete
     * at once. So as long as a wait brings something, only the reply to that is let pass before the next one.
     */
    private static final int MOST_SPARED_AFTER_PROGRESS = 1;
    private static final int CLOSERS_CAPACITY = 64;
    private static final long PAUSE_MILLIS = 10;

    // Open to any thread
    private final AtomicBoolean inside = new AtomicBoolean();
    private final AtomicBoolean wakeUpCommanded = new AtomicBoolean();
    private final Command wakeUpCommand = new Command() {
        @Override
        void perform() {
            wakeUpCommanded.set(false);
            signalAWaiter();
        }

        @Override
        boolean repeats() {
            return wakeUpCommanded.compareAndSet(false, true);
        }
    };
    private final AtomicBoolean closeBegun = new AtomicBoolean();
    private volatile boolean closing;
    private final CountDownLatch lastWaiterLeft = new CountDownLatch(1);

    private final Runnable performing = this::performLeftCommandsAndSignal;
    private final Runnable performingOnly = this::performLeftCommands;
    private final Runnable leaving = this::leave;
    /** The refusal of a signal that a waiting thread needs, or the lack of memory for it; written inside. */
    private volatile Throwable refusal;

    // Only inside
    private final SharedCompletionQueue completed;
    private final Deadlines deadlines = new Deadlines();
    private int waiters;
    private boolean signalled;
    private Thread timekeeper;
    private long keptDeadline;
    private HoldingCompletions closersRoom;

    /**
     * Makes a processor without any operations.
     *
     * @param name            by which it is chosen
     * @param vectorForm      how the system wants its vectors and messages
     * @param providedBuffers for continuous receives
     */
    protected SharedProcessor(String name, VectorForm vectorForm, ProvidedBuffers.Size providedBuffers) {
        this(name, vectorForm, providedBuffers, new SharedCompletionQueue());
    }

    private SharedProcessor(String name, VectorForm vectorForm, ProvidedBuffers.Size providedBuffers,
            SharedCompletionQueue completed) {
        super(name, vectorForm, providedBuffers, completed);
        this.completed = completed;
    }

    /**
     * Makes the room that a close collects into, since there may be no memory for it then. Must be called by the
     * subclass's constructor, once {@link #newCompletions} works.
     */
    protected final void reserveForClose() {
        closersRoom = newCompletions(CLOSERS_CAPACITY);
    }

    // What the subclass does

    @Override
    public abstract HoldingCompletions newCompletions(int capacity);

    /**
     * Waits until operations that are being executed have progressed, or for a {@link #signal()}. Called outside, by
     * any number of threads.
     *
     * @param progress     keeps what has happened for {@link #take}; from {@link #newCompletions}
     * @param timeoutNanos 0 only looks, negative means forever
     * @throws IOException if the system call fails
     */
    protected abstract void await(HoldingCompletions progress, long timeoutNanos) throws IOException;

    /**
     * Takes what the calling thread's last {@link #await} has brought, and goes on with the operations. Called inside.
     *
     * @param progress as for {@link #await}
     * @return whether there was a signal, or may have been one
     * @throws IOException if the system refuses something that the operations need to go on
     */
    protected abstract boolean take(HoldingCompletions progress) throws IOException;

    /** {@return whether {@link #take} has something to do that would not end an {@link #await}; called inside} */
    protected boolean hasToTake() {
        return false;
    }

    /** Ends an {@link #await}: one that is going on, or else the next one. Called inside. */
    protected abstract void signal();

    /** {@return the timeouts; the subclass adds those that begin and removes those that are cancelled} */
    protected final Deadlines deadlines() {
        return deadlines;
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
        // Looking first spares the thread inside the loss of its cache line at each turn of a spinning thread.
        if (inside.get() || !inside.compareAndSet(false, true)) {
            return false;
        }
        holder = Thread.currentThread();
        return true;
    }

    private void enter() {
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
            goOut();
        } finally {
            performLeftCommandsAndSignal();
        }
    }

    private void performLeftCommandsAndSignal() {
        try {
            performLeftCommands();
        } finally {
            repeatRefusedSignal();
        }
    }

    /** Called outside, because others must not wait for it. */
    private void repeatRefusedSignal() {
        for (int left = SIGNALS; refusal != null && left > 0; left--) {
            LockSupport.parkNanos(PAUSE_NANOS);
            if (tryEnter()) {
                goOut();
                // Threads that found this one inside have left their commands to it.
                performLeftCommands();
            }
        }
        Throwable last = refusal;
        if (last instanceof Error error) {
            throw error;
        }
        if (last != null) {
            throw (UncheckedIOException) last;
        }
    }

    /** A thread that found another one inside has left a command, and no other thread may come for a long time. */
    private void performLeftCommands() {
        Throwable failure = null;
        while (!commands().isEmpty() && tryEnter()) {
            try {
                turnAndGoOut();
            } catch (RuntimeException | Error e) {
                failure = Failures.and(failure, e);
            }
        }
        Failures.throwFirst(failure);
    }

    private void turnAndGoOut() {
        try {
            turn();
        } catch (StackOverflowError e) {
            overflow = e;
            throw e;
        } finally {
            goOut();
        }
    }

    private void goOut() {
        try {
            if (closing) {
                if (waiters == 0) {
                    lastWaiterLeft.countDown();
                } else {
                    signalToLeave();
                }
            } else if (refusal != null
                    || !signalled && (hasCompleted() || hasToRepeat() || hasToTake() || isDeadlineUnattended())) {
                signalled = signalAWaiter();
            }
        } finally {
            unlock();
        }
    }

    private void signalToLeave() {
        try {
            signal();
        } catch (UncheckedIOException | OutOfMemoryError e) {
            // The close repeats it until the last waiter has left.
        }
    }

    /** {@return whether there was no memory for something that nobody else would do again} */
    private boolean hasToRepeat() {
        return commands().hasDeferred() || hasToCancelAgain();
    }

    private void unlock() {
        holder = null;
        inside.set(false);
    }

    /**
     * Signals one of the waiting threads, if there are any. A signal that the system refuses is repeated as soon as the
     * caller is outside. Called inside.
     *
     * @return whether one is signalled
     */
    protected final boolean signalAWaiter() {
        refusal = null;
        if (waiters == 0) {
            return false;
        }
        try {
            signal();
            return true;
        } catch (UncheckedIOException | OutOfMemoryError e) {
            refusal = e;
            return false;
        }
    }

    private void turn() {
        try {
            commands().performAll();
        } finally {
            cancelAgain();
            beginAll();
            NativeOperation due;
            while ((due = deadlines.pollDue()) != null) {
                complete(due, 0);
            }
        }
    }

    @Override
    final boolean leaveCommand(Command command) {
        boolean accepted = commands().push(command);
        if (accepted) {
            // The thread that left the command must not think that it was refused.
            failures().guard(performing);
        }
        return accepted;
    }

    @Override
    final void start(NativeOperation operation) {
        startFromOutside(operation);
    }

    @Override
    public final int inFlight() {
        // What has been collected was started earlier, so read in this order the difference is never negative.
        long ended = collected();
        return (int) (startedOutside() - ended);
    }

    @Override
    public final HandleSetKind handleSetKind() {
        return HandleSetKind.CONCURRENT;
    }

    // Waiting

    @Override
    public final int awaitCompletions(Completions completions, long timeoutNanos) throws IOException {
        HoldingCompletions room = (HoldingCompletions) CollectedCompletions.require(completions, this);
        requireNotClosing();
        room.clear();
        long begin = Timeout.begin(timeoutNanos);
        long left = timeoutNanos;
        enterToWait();
        try {
            requireIntact();
            release(room);
            turn();
            if (collectAtOnce(room)) {
                return room.size();
            }
            while (true) {
                awaitOutside(room, left);
                requireNotClosing();
                turn();
                failures().throwKept();
                left = Timeout.left(timeoutNanos, begin);
                boolean wokenUp = takeWakeUp();
                completed.collect(room);
                if (wokenUp || room.size() > 0 || left == 0) {
                    return room.size();
                }
            }
        } finally {
            // What has been collected belongs to the caller.
            failures().guard(leaving);
        }
    }

    /**
     * Spares a wait if there is a completion already. Besides the system call, this is for speed because the wait might
     * bring a completion that there is no room for, and another thread would have to be signalled to collect it. In a
     * larger room, there is place for what a wait brings.
     */
    private boolean collectAtOnce(HoldingCompletions room) {
        int most = waiters == 0 && room.hasBrought ? MOST_SPARED_AFTER_PROGRESS : MOST_SPARED;
        if (room.capacity() > 1 || room.spared >= most) {
            return false;
        }
        failures().throwKept();
        completed.collect(room);
        room.spared += room.size();
        return room.size() > 0;
    }

    /** Lets others have further completions of the handles whose completions are in this room. */
    final void release(HoldingCompletions room) {
        completed.release(room);
    }

    private void requireNotClosing() throws HandleClosedException {
        if (closing) {
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
        if (closing) {
            leave();
            requireNotClosing();
        }
    }

    /** Leaves to wait, and enters again with what the wait has brought. */
    private void awaitOutside(HoldingCompletions room, long timeoutNanos) throws IOException {
        waiters++;
        long bound = timeoutNanos;
        if (hasCompleted() || hasToRepeat() || hasToTake() || wakeUpRequested().get()) {
            bound = 0;
        } else if (isDeadlineUnattended()) {
            timekeeper = Thread.currentThread();
            keptDeadline = deadlines.next();
            bound = deadlines.bound(timeoutNanos);
        }
        unlock();
        try {
            performLeftCommands();
            await(room, bound);
        } finally {
            enter();
            waiters--;
            if (timekeeper == Thread.currentThread()) {
                timekeeper = null;
            }
            // Even if the wait has failed, since it may have found something before that.
            takeProgress(room);
        }
    }

    private void takeProgress(HoldingCompletions room) throws IOException {
        boolean signalTaken = true;
        long before = completed.arrivals();
        try {
            signalTaken = take(room);
        } finally {
            room.spared = 0;
            room.hasBrought = completed.arrivals() > before;
            if (signalTaken) {
                signalled = false;
            }
        }
    }

    private boolean isDeadlineUnattended() {
        return !deadlines.isEmpty() && (timekeeper == null || deadlines.next() - keptDeadline < 0);
    }

    @Override
    public final void wakeUp() {
        wakeUpRequested().set(true);
        if (wakeUpCommanded.compareAndSet(false, true) && commands().push(wakeUpCommand)) {
            try {
                // What the commands of others throw is told by the next wait. Who wakes up has not caused it.
                failures().guard(performingOnly);
            } finally {
                repeatRefusedSignal();
            }
        }
    }

    // The end

    @Override
    protected final void execute(long timeoutNanos) throws IOException {
        // Only for a close, and not without limit: the signal of a cancellation may have been refused.
        await(closersRoom, TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
        take(closersRoom);
    }

    @Override
    public final void close(Consumer<? super Completion> rest) {
        StackReserve.requireForClose();
        boolean interrupted = false;
        while (!isClosed()) {
            if (closeBegun.compareAndSet(false, true)) {
                try {
                    closeAlone(rest);
                } finally {
                    // If there was no memory for it, the next call goes on, which may be that of a thread that waits.
                    closeBegun.set(false);
                }
            } else {
                try {
                    closed().await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeAlone(Consumer<? super Completion> rest) {
        if (isClosed()) {
            return;
        }
        leaveRestTo(rest);
        awaitLastWaiter();
        enter();
        try {
            closeNow();
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
        if (closersRoom != null) {
            closersRoom.close();
        }
    }

    private void endWaits() {
        enter();
        closing = true;
        failures().guard(leaving);
    }

    private void awaitLastWaiter() {
        boolean interrupted = false;
        boolean over = false;
        while (!over) {
            // Again and again, because a signal may have been refused.
            endWaits();
            try {
                over = lastWaiterLeft.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
