package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.failure.Failures;
import dev.sluice.failure.StackReserve;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The papers' Asynchronous Operation Processor: an operation goes through {@link InFlight} to the
 * {@link CompletionQueue}, {@link Cancellation} and {@link Ending} cut that short. {@link SingleThreadedProcessor} and
 * {@link MultiThreadedProcessor} say which threads may be inside; below them, a subclass executes the operations.
 */
public abstract class OperationProcessor implements AsynchronousEventDemultiplexer {

    static final long PAUSE_MILLIS = 10;

    // Made ahead, because there may be no memory for it when it is used.
    private static final Consumer<OperationSlot> CANCELLING_AGAIN = operation -> operation.cancellation.repeat();

    private final String name;
    /** What the next wait throws. */
    final Failures failures = new Failures();
    final AtomicBoolean wakeUpRequested = new AtomicBoolean();

    private final AtomicLong startedOutside = new AtomicLong();
    /** Whether no more operations are accepted. */
    volatile boolean shutDown;

    // Its parts, open to any thread where they say so; for the other classes of this package
    final OperationMemory memory;
    /** What other threads have left to the thread inside. */
    final CommandStack commands = new CommandStack();
    private final Associations associations = new Associations(this, () -> shutDown);
    final CompletionQueue completed;
    final InFlight operations;
    final Ending ending;

    /**
     * Why what is in flight may never complete: there was no stack in the middle of a change. Then each wait throws
     * an error for it, which ends the loop. Written inside, without a call, for which there is no stack either.
     */
    volatile StackOverflowError overflow;

    /** Whether an operation has to be cancelled once more, as there was no memory for it. Used inside. */
    boolean cancelsAgain;

    /** The thread that is inside. A thread that finds itself here has written that itself, so no fence is needed. */
    Thread holder;

    /**
     * Creates a processor without any operations.
     *
     * @param name            the name by which it is chosen
     * @param vectorForm      the form in which the system wants vectors and messages
     * @param providedBuffers for continuous receives
     * @param multiThreaded   whether several threads collect completions
     */
    @SuppressWarnings("this-escape") // Its parts only store it.
    OperationProcessor(String name, VectorForm vectorForm, ProvidedBuffers.Size providedBuffers,
            boolean multiThreaded) {
        this.name = name;
        this.memory = new OperationMemory(this, vectorForm, providedBuffers);
        this.completed = new CompletionQueue(multiThreaded);
        this.operations = new InFlight(this, completed, failures, memory.providedBuffers);
        this.ending = new Ending(this, completed, failures);
    }

    // What the subclass does; called inside

    /**
     * {@return how an operation is executed, each time that it is asked for something of this kind}
     *
     * @param asked of a kind that is not complete as soon as it is prepared
     */
    protected abstract Execution<?> newExecution(Arguments asked);

    /**
     * Makes operations progress and completes them.
     *
     * @param timeoutNanos the maximum time to wait if nothing completes and no thread signals; negative means forever
     * @throws IOException if the system call fails
     */
    protected abstract void execute(long timeoutNanos) throws IOException;

    /**
     * Releases the resources of the mechanism. Called when nothing is in flight any more, unless the mechanism has
     * failed ({@link #hasInFlight()}); and again if there was no memory for it.
     */
    protected abstract void dispose();

    /**
     * {@return whether no operation continues after the disposal, even after a failure; otherwise the system may still
     * write to the buffers of operations that were being executed}
     */
    protected boolean endsWithItsDisposal() {
        return false;
    }

    /**
     * Creates an association.
     *
     * @param handle the handle
     * @return a new one
     * @throws IOException if the handle is closed, or the mechanism cannot take it
     */
    protected HandleAssociation newAssociation(Handle handle) throws IOException {
        return new HandleAssociation(this, handle);
    }

    // What the subclass uses, inside

    /** {@return where the outcomes of operations are reported} */
    public final Outcomes outcomes() {
        return operations;
    }

    /** {@return whether an accepted operation has not completed} */
    protected final boolean hasInFlight() {
        return !operations.isEmpty();
    }

    /** {@return whether there are completions to be collected} */
    protected final boolean hasCompleted() {
        return !completed.isEmpty();
    }

    /**
     * Hands out all operations that are being executed, so that they are completed.
     *
     * @param completes must complete each
     */
    protected final void forEachBegun(Consumer<OperationSlot> completes) {
        operations.forEach(operation -> {
            if (operation.isBegun()) {
                completes.accept(operation);
            }
        });
    }

    // Which thread is inside

    /** {@return whether the calling thread is inside} */
    public final boolean isInside() {
        return holder == Thread.currentThread();
    }

    /**
     * Enters, if the calling thread may touch what is used only inside; it may do so any number of times.
     *
     * @return whether it is inside, and must leave as many times
     */
    abstract boolean enterInside();

    /** Ends {@link #enterInside}. */
    abstract void leaveInside();

    /** Performs the commands that other threads have left, before the thread inside does something of its own. */
    void catchUp() {
    }

    /**
     * Performs a command inside, or leaves it for the thread that is inside.
     *
     * @return whether it will be; false after the close
     */
    final boolean command(Command command) {
        StackReserve.requireForCall();
        return leaveCommand(command);
    }

    /** As {@link #command}, for a caller that has seen to it that there is stack for it. */
    abstract boolean leaveCommand(Command command);

    abstract void start(OperationSlot operation);

    /** Starts an operation from outside, or from inside as if that were outside. */
    final void startFromOutside(OperationSlot operation) {
        StackReserve.requireForCall();
        // Counted first: a thread that waits for the last operation after a shutdown must not miss one that is on its
        // way.
        startedOutside.incrementAndGet();
        if (shutDown || !leaveCommand(operation.startCommand)) {
            startedOutside.decrementAndGet();
            // That thread must look again if there is none after all.
            wakeUp();
            throw refusal();
        }
    }

    final IllegalStateException refusal() {
        return new IllegalStateException(this + " is shut down");
    }

    /** Cancels those operations for whose cancellation there was no memory. */
    final void cancelAgain() {
        if (cancelsAgain) {
            cancelsAgain = false;
            operations.forEach(CANCELLING_AGAIN);
        }
    }

    /** {@return what a wait throws if a change has been interrupted} */
    final Error interrupted() {
        return new Error(this + ": there was no stack in the middle of a change, and operations may never complete",
                overflow);
    }

    // Associations

    @Override
    public final Association associate(Handle handle) throws IOException {
        requireOpen();
        return associations.add(handle);
    }

    final void forget(HandleAssociation association) {
        association.ending();
        associations.remove(association);
    }

    final void endAssociations() {
        associations.endAll();
    }

    // The end

    @Override
    public final void shutdown() {
        ending.shutdown();
    }

    @Override
    public final void close(Consumer<? super Completion> rest) {
        StackReserve.requireForClose();
        boolean interrupted = false;
        while (!isClosed()) {
            if (!tryClose(rest)) {
                interrupted |= isInterruptedBefore(ending.closed());
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Closes it, unless another thread does, or has to leave first.
     *
     * @param rest as for {@link #close(Consumer)}
     * @return whether to try again at once, if it is not closed; false to wait a little
     */
    abstract boolean tryClose(Consumer<? super Completion> rest);

    /** {@return whether the thread was interrupted, which its caller must restore, in a short wait for an end} */
    static boolean isInterruptedBefore(CountDownLatch end) {
        try {
            end.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    final boolean isClosed() {
        return ending.isClosed();
    }

    final void requireOpen() throws HandleClosedException {
        if (isClosed()) {
            throw new HandleClosedException(toString());
        }
    }

    /** Gives back what has been reserved for the close. */
    void releaseReserved() {
    }

    // Facts

    @Override
    public final int inFlight() {
        // What has been collected was started earlier, so read in this order the difference is never negative.
        long ended = operations.collected.get();
        return (int) (operations.started.get() + startedOutside.get() - ended);
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Operation newOperation() {
        return new OperationSlot(this);
    }

    @Override
    public final String toString() {
        return "demultiplexer " + name;
    }
}
