package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.spi.Association;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.failure.Failures;
import dev.sluice.failure.StackReserve;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The papers' Asynchronous Operation Processor. An operation goes through {@link InFlight} to the
 * {@link CompletionQueue}; {@link Cancellation} and {@link Ending} end it early. {@link SingleThreadedProcessor} and
 * {@link MultiThreadedProcessor} determine which threads may be inside; their subclasses execute the operations.
 */
public abstract class OperationProcessor implements AsynchronousEventDemultiplexer {

    static final long PAUSE_MILLIS = 10;

    // Allocated in advance, because there may be no memory when it is used.
    private static final Consumer<OperationSlot> CANCELLING_AGAIN = operation -> operation.cancellation.repeat();

    private final String name;
    /** The exceptions for the next wait to throw. */
    final Failures failures = new Failures();
    final AtomicBoolean wakeUpRequested = new AtomicBoolean();

    private final AtomicLong startedOutside = new AtomicLong();
    /** Whether the processor accepts no more operations. */
    volatile boolean shutDown;

    // The parts of the processor, for the other classes of this package; may be used by any thread where noted
    final OperationMemory memory;
    /** The commands of other threads for the thread inside. */
    final CommandStack commands = new CommandStack();
    private final Associations associations = new Associations(this, () -> shutDown);
    final CompletionQueue completed;
    final InFlight operations;
    final Ending ending;

    /**
     * The error that has interrupted a change, so that operations in flight may never complete; or null. Each wait then
     * throws an error, which ends the loop. Written inside, without a call, for which there might be no stack.
     */
    volatile @Nullable StackOverflowError overflow;

    /** The number of bytes that are registered with the system. Written inside. */
    volatile long registeredBytes;

    /** Whether an operation has to be cancelled again, because there was no memory for it. Used inside. */
    boolean cancelsAgain;

    /** The thread that is inside. A thread that reads itself here has written the field, so no fence is needed. */
    @Nullable Thread holder;

    /**
     * Creates a processor without any operations.
     *
     * @param name            the name by which the demultiplexer is chosen
     * @param vectorForm      the form of the vectors and messages of the system
     * @param providedBuffers the sizes of the buffers for continuous receives
     * @param multiThreaded   whether several threads collect completions
     */
    @SuppressWarnings("this-escape") // The parts only store the reference.
    OperationProcessor(String name, VectorForm vectorForm, ProvidedBuffers.Size providedBuffers,
            boolean multiThreaded) {
        this.name = name;
        this.memory = new OperationMemory(this, vectorForm, providedBuffers);
        this.completed = new CompletionQueue(multiThreaded);
        this.operations = new InFlight(this, completed, failures, memory.providedBuffers);
        this.ending = new Ending(this, completed, failures);
    }

    // Implemented by the subclass, called inside

    /**
     * {@return a new execution, for all starts of an operation with these arguments}
     *
     * @param arguments arguments of a kind that needs a call to complete
     */
    protected abstract Execution<?> newExecution(Arguments arguments);

    /**
     * Makes operations progress and completes them.
     *
     * @param timeoutNanos the maximum time to wait if nothing completes and no thread signals; negative means no limit
     * @throws IOException if the system call fails
     */
    protected abstract void execute(long timeoutNanos) throws IOException;

    /**
     * Releases the resources of the mechanism. Called when no operation is in flight any more, unless the mechanism has
     * failed ({@link #hasInFlight()}), and again if there was not enough memory.
     */
    protected abstract void dispose();

    /**
     * {@return whether no operation continues after the disposal, even if the mechanism has failed; otherwise the
     * system may still write to the buffers of operations}
     */
    protected boolean endsWithItsDisposal() {
        return false;
    }

    /**
     * Creates an association.
     *
     * @param handle the handle
     * @return a new association
     * @throws IOException if the handle is closed, or the mechanism does not support it
     */
    protected HandleAssociation newAssociation(Handle handle) throws IOException {
        return new HandleAssociation(this, handle);
    }

    /**
     * Registers memory with the system, which then transfers from and to it with less work.
     *
     * @param buffer  the buffer, which the mechanism keeps reachable until the memory is released
     * @param address the address of the memory
     * @param length  the number of bytes
     * @return a number for {@link #unregister}, at least 0; a negative number if the system does not register it
     */
    protected int register(ByteBuffer buffer, long address, int length) {
        return BufferRegistration.NONE;
    }

    /** Releases memory that {@link #register} has registered. */
    protected void unregister(int entry) {
        throw new IllegalStateException("not registered: " + entry);
    }

    // Used by the subclass, inside

    /** {@return the receiver of the outcomes of operations} */
    public final Outcomes outcomes() {
        return operations;
    }

    /** {@return whether an operation has been accepted and not completed} */
    protected final boolean hasInFlight() {
        return !operations.isEmpty();
    }

    /** {@return whether there are completions to collect} */
    protected final boolean hasCompleted() {
        return !completed.isEmpty();
    }

    /**
     * Completes all operations that are being executed.
     *
     * @param completes completes an operation
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
     * Enters, if the calling thread may be inside. A thread that is inside may enter again.
     *
     * @return whether the thread has entered, and must leave again
     */
    abstract boolean enterInside();

    /** Ends {@link #enterInside}. */
    abstract void leaveInside();

    /** Performs the commands of other threads that were queued before an action of the thread inside. */
    void catchUp() {
    }

    /**
     * Performs a command inside, or queues it for the thread that is inside.
     *
     * @return whether the command is performed; false after the close
     */
    final boolean command(Command command) {
        StackReserve.requireForCall();
        return queueCommand(command);
    }

    /**
     * Performs a command, as {@link #command} does, unless a thread has done so before. Requires the stack first: if
     * the flag were set without a command, no other thread would queue it.
     *
     * @param commanded whether a thread has done so before
     * @return whether the command is performed; false after the close
     */
    final boolean commandOnce(AtomicBoolean commanded, Command command) {
        StackReserve.requireForCall();
        return !commanded.compareAndSet(false, true) || queueCommand(command);
    }

    /** As {@link #command}, for a caller that has required enough stack. */
    abstract boolean queueCommand(Command command);

    abstract void start(OperationSlot operation);

    /** Starts an operation by a command, from outside or inside. */
    final void startFromOutside(OperationSlot operation) {
        StackReserve.requireForCall();
        // Counted first: a thread that waits for the last operation after a shutdown must not miss one that is being
        // started.
        startedOutside.incrementAndGet();
        if (shutDown || !queueCommand(operation.startCommand)) {
            startedOutside.decrementAndGet();
            // Such a thread must check again, because the operation has not been started.
            wakeUp();
            throw refusal();
        }
    }

    final IllegalStateException refusal() {
        return new IllegalStateException(this + " is shut down");
    }

    /** Cancels again the operations for whose cancellation there was no memory. */
    final void cancelAgain() {
        if (cancelsAgain) {
            cancelsAgain = false;
            operations.forEach(CANCELLING_AGAIN);
        }
    }

    /** {@return the error of a wait after a change has been interrupted} */
    final Error interrupted() {
        return new Error(this + ": the stack overflowed during a change; operations may never complete",
                overflow);
    }

    // Registered memory

    @Override
    public final Closeable registerBuffer(ByteBuffer buffer) {
        BufferRegistration registration = new BufferRegistration(this, buffer);
        registration.begin();
        return registration;
    }

    @Override
    public final long registeredBytes() {
        return registeredBytes;
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
     * Closes the processor, unless another thread is closing it or is still inside.
     *
     * @param rest as for {@link #close(Consumer)}
     * @return true to try again immediately if the processor is not closed; false to pause first
     */
    abstract boolean tryClose(Consumer<? super Completion> rest);

    /**
     * {@return whether the thread has been interrupted during a short wait for an end; the caller must restore the
     * status}
     */
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

    /** Releases what has been reserved for the close. */
    void releaseReserved() {
    }

    // Facts

    @Override
    public final int inFlight() {
        // In this order the difference is never negative, because operations are started before they are collected.
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
