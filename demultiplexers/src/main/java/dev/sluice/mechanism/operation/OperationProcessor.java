package dev.sluice.mechanism.operation;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Memory;
import dev.sluice.demultiplexer.Association;
import dev.sluice.demultiplexer.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.Operation;
import dev.sluice.failure.CloseSteps;
import dev.sluice.failure.Failures;
import dev.sluice.failure.MemoryShortage;
import dev.sluice.failure.StackReserve;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The papers' Asynchronous Operation Processor and its completion event queue. {@link SoleProcessor} and
 * {@link SharedProcessor} say which threads may be inside; below them, a subclass executes the operations.
 */
public abstract class OperationProcessor implements AsynchronousEventDemultiplexer, Outcomes {

    private static final int BLOCKS_PER_SLAB = 64;
    private static final int STAGES_PER_SLAB = 4;
    /** How often executing the operations that a close waits for may fail. */
    private static final int MOST_FAILURES = 16;
    private static final long PAUSE_NANOS = 10_000_000;

    private final String name;
    private final VectorForm vectorForm;
    private final Memory memory = Bindings.current().memory();

    // Open to any thread
    private final Associations associations = new Associations(this, this::isShutDown);
    private final CommandStack commands = new CommandStack();
    private final Command shutdownCommand = new Command() {
        @Override
        void perform() {
            shutdownCommanded.set(false);
            cancelAll();
        }

        @Override
        boolean repeats() {
            return shutdownCommanded.compareAndSet(false, true);
        }
    };
    private final AtomicBoolean shutdownCommanded = new AtomicBoolean();
    private final Consumer<NativeOperation> cancelling = this::cancelAccepted;
    private final Consumer<NativeOperation> cancellingAgain = operation -> {
        if (operation.isBegun() && operation.isCancelRequested()) {
            cancelAccepted(operation);
        }
    };
    private final AtomicBoolean shutDown = new AtomicBoolean();
    private final AtomicLong startedOutside = new AtomicLong();
    // Written only inside.
    private final AtomicLong collected = new AtomicLong();
    private final AtomicBoolean wakeUpRequested = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Consumer<? super Completion> rest = Completion::closeUntaken;

    private final Failures failures = new Failures();

    /**
     * Why what is in flight may never complete: there was no stack in the middle of a change. Then each wait throws
     * an error for it, which ends the loop. Written inside, without a call, for which there is no stack either.
     */
    volatile StackOverflowError overflow;
    /** Whether an operation is being accepted. Used inside. */
    boolean changing;

    /** The thread that is inside. A thread that finds itself here has written that itself, so no fence is needed. */
    Thread holder;

    // Only inside
    private final OperationTable table = new OperationTable();
    private final OperationQueue toBegin = new OperationQueue();
    private final CompletionQueue completed;
    private final BlockPool blocks = new BlockPool(memory, NativeOperation.BLOCK_SIZE, BLOCKS_PER_SLAB);
    private final BlockPool stages = new BlockPool(memory, NativeOperation.STAGE_SIZE, STAGES_PER_SLAB);
    private final ProvidedBuffers.Size providedBuffersSize;
    private volatile ProvidedBuffers providedBuffers;
    /** How many operations the system may go on executing after the close. */
    private int goingOn;
    /** Whether an operation has to be cancelled once more, as there was no memory for it. */
    private boolean cancelsAgain;
    private final MemoryShortage shortage = new MemoryShortage();
    private final CloseSteps disposal;
    private final CloseSteps release;

    /**
     * Makes a processor without any operations.
     *
     * @param name            the name by which it is chosen
     * @param vectorForm      the form in which the system wants vectors and messages
     * @param providedBuffers for continuous receives
     * @param multiThreaded   whether several threads collect completions
     */
    @SuppressWarnings("this-escape") // Used only by the close.
    OperationProcessor(String name, VectorForm vectorForm, ProvidedBuffers.Size providedBuffers,
            boolean multiThreaded) {
        this.name = name;
        this.vectorForm = vectorForm;
        this.completed = new CompletionQueue(multiThreaded);
        this.providedBuffersSize = providedBuffers;
        this.disposal = new CloseSteps(this::discardCompleted, this::endAssociations, this::dispose,
                this::abandonInFlight, this::freeMemory, this::releaseReserved);
        this.release = new CloseSteps(this::closeProvidedBuffers, blocks::close, stages::close);
    }

    // What the subclass does; called inside

    /**
     * Executes an operation, or goes on with it. This may complete it at once.
     *
     * @param operation set up
     */
    protected abstract void begin(NativeOperation operation);

    /**
     * Tries to end an operation that is being executed. It must still be completed, now or later.
     *
     * @param operation begun, and no longer to be attempted
     */
    protected abstract void cancelBegun(NativeOperation operation);

    /**
     * Takes back what an operation has borrowed from the mechanism, because an attempt at it has thrown something.
     *
     * @param operation begun
     * @return whether it can be completed; false if it is being executed nevertheless, and will complete that way
     */
    protected boolean giveUp(NativeOperation operation) {
        return true;
    }

    /**
     * Makes operations progress and completes them.
     *
     * @param timeoutNanos how long to wait if nothing completes and nobody signals; negative means forever
     * @throws IOException if the system call fails
     */
    protected abstract void execute(long timeoutNanos) throws IOException;

    /**
     * The association takes no more operations; what is in flight on it is about to be cancelled. Called by any thread,
     * perhaps more than once, and before its handle can be associated again.
     *
     * @param association the association
     */
    protected void ending(HandleAssociation association) {
    }

    /**
     * A provided buffer can be used again.
     *
     * @param buffer which
     */
    protected abstract void provide(PooledBuffer buffer);

    /**
     * Gives back what belongs to the mechanism. Called when nothing is in flight any more, unless the mechanism has
     * failed for good ({@link #hasInFlight()}); and again if there was no memory for it.
     */
    protected abstract void dispose();

    /**
     * {@return whether no operation continues after the disposal, even after a failure; otherwise the system may still
     * write to the buffers of operations that were being executed}
     */
    protected boolean endsWithItsDisposal() {
        return false;
    }

    // What the subclass uses, inside

    /** {@return the operation with this {@link NativeOperation#key()}, null if it has completed} */
    protected final NativeOperation operation(long key) {
        assert isInside();
        return table.get(key);
    }

    @Override
    public final ProvidedBuffers providedBuffers() {
        if (providedBuffers == null) {
            providedBuffers = new ProvidedBuffers(this, providedBuffersSize);
        }
        return providedBuffers;
    }

    /** Throws if a change has been interrupted. */
    final void requireIntact() {
        if (overflow != null) {
            throw new Error(this + ": there was no stack in the middle of a change, and operations may never complete",
                    overflow);
        }
    }

    /** {@return whether an accepted operation has not completed} */
    protected final boolean hasInFlight() {
        return !table.isEmpty();
    }

    /** {@return whether there are completions to be collected} */
    protected final boolean hasCompleted() {
        return !completed.isEmpty();
    }

    @Override
    public final void complete(NativeOperation operation, long result, Object resource) {
        assert isInside();
        long sent = operation.done();
        long outcome = tearDown(operation, result);
        if (outcome < 0) {
            StreamGap.leave(operation, outcome, sent > 0);
        } else if (sent < operation.total()) {
            StreamGap.leaveRest(operation);
        }
        completed.add(operation, outcome, resource, true);
        operation.phase = NativeOperation.Phase.COMPLETED;
        table.remove(operation);
        if (operation.association() != null) {
            operation.association().remove(operation);
        }
        operation.kind().completed(this);
    }

    /** {@return the result, or an error if the buffers are no longer as they were when the operation was started} */
    private long tearDown(NativeOperation operation, long result) {
        try {
            operation.tearDown(result);
            return result;
        } catch (TouchedBufferException e) {
            operation.setFailure(e);
        } catch (RuntimeException | Error e) {
            failures.add(e);
        }
        return Math.min(result, -Errno.EIO.number());
    }

    @Override
    public final void failed(NativeOperation operation, Throwable failure) {
        assert isInside();
        // A lack of memory and a buffer that was touched concern only this operation, and its completion reports them.
        // A failing wait would affect the others.
        boolean shortage = failure instanceof OutOfMemoryError;
        boolean touched = failure instanceof TouchedBufferException;
        if (!shortage && !touched) {
            failures.add(failure);
        }
        try {
            if (operation.isBegun() && giveUp(operation)) {
                if (touched) {
                    operation.setFailure(failure);
                }
                complete(operation, -errorOf(operation, failure).number());
            } else if (touched) {
                // No completion of it will tell.
                failures.add(failure);
            }
        } catch (RuntimeException | Error e) {
            failures.add(e);
        }
    }

    private static Errno errorOf(NativeOperation operation, Throwable failure) {
        if (failure instanceof OutOfMemoryError) {
            return Errno.ENOMEM;
        }
        return failure instanceof TouchedBufferException && operation.isCancelRequested() ? Errno.ECANCELED : Errno.EIO;
    }

    @Override
    public final void failed(Throwable failure) {
        failures.add(failure);
    }

    @Override
    public final void report(NativeOperation operation, long result, Object resource) {
        assert isInside();
        if (resource instanceof PooledBuffer buffer) {
            buffer.receivedBy(operation.association());
        }
        completed.add(operation, result, resource, false);
    }

    @Override
    public final void again(NativeOperation operation) {
        assert isInside();
        if (operation.isCancelRequested()) {
            complete(operation, -Errno.ECANCELED.number());
        } else {
            begin(operation);
        }
    }

    @Override
    public final boolean hasMore(NativeOperation operation, long result) {
        assert isInside();
        if (result < 0) {
            complete(operation, result);
            return false;
        }
        boolean more = operation.moved(result);
        if (!more) {
            complete(operation, operation.kind().result(operation, result));
        }
        return more;
    }

    @Override
    public final void starve(NativeOperation operation) {
        assert isInside();
        if (operation.isCancelRequested()) {
            complete(operation, -Errno.ECANCELED.number());
        } else {
            operation.phase = NativeOperation.Phase.STARVING;
            providedBuffers().await(operation);
        }
    }

    /** {@return whether a continuous receive must pause, since its connection has taken its share of buffers} */
    protected final boolean hasTakenItsShare(NativeOperation operation) {
        return providedBuffers().hasTakenItsShare(operation.association());
    }

    @Override
    public final boolean pause(NativeOperation operation) {
        if (!hasTakenItsShare(operation)) {
            return false;
        }
        if (operation.isCancelRequested()) {
            complete(operation, -Errno.ECANCELED.number());
        } else {
            operation.phase = NativeOperation.Phase.STARVING;
            providedBuffers().pause(operation);
        }
        return true;
    }

    /**
     * Hands out all operations that are being executed, so that they are completed.
     *
     * @param completes must complete each
     */
    protected final void forEachBegun(Consumer<NativeOperation> completes) {
        table.forEach(operation -> {
            if (operation.isBegun()) {
                completes.accept(operation);
            }
        });
    }

    // For the other classes of this package

    final Memory memory() {
        return memory;
    }

    /**
     * {@return the address of a direct buffer, which must be accessible to any thread; {@link Memory#COPY} if the
     * program can free its memory}
     */
    final long address(ByteBuffer direct) {
        long known = providedAddress(direct);
        return known >= 0 ? known : memory.sharedAddress(direct);
    }

    /** {@return the address of a provided buffer, -1 for others} */
    final long providedAddress(ByteBuffer direct) {
        ProvidedBuffers provided = providedBuffers;
        return provided == null ? -1 : provided.address(direct);
    }

    final BlockPool blocks() {
        return blocks;
    }

    final BlockPool stages() {
        return stages;
    }

    final VectorForm vectorForm() {
        return vectorForm;
    }

    @Override
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
     * Has a command performed inside.
     *
     * @return whether it will be; false after the close
     */
    final boolean command(Command command) {
        StackReserve.requireForCall();
        return leaveCommand(command);
    }

    /** As {@link #command}, for a caller that has seen to it that there is stack for it. */
    abstract boolean leaveCommand(Command command);

    abstract void start(NativeOperation operation);

    /** Starts an operation from outside. */
    final void startFromOutside(NativeOperation operation) {
        // Counted first: a thread that waits for the last operation after a shutdown must not miss one that is on its
        // way.
        StackReserve.requireForCall();
        startedOutside.incrementAndGet();
        if (shutDown.get() || !leaveCommand(operation.startCommand)) {
            startedOutside.decrementAndGet();
            // That thread must look again if there is none after all.
            wakeUp();
            throw refusal();
        }
    }

    final IllegalStateException refusal() {
        return new IllegalStateException(this + " is shut down");
    }

    final void accept(NativeOperation operation) {
        assert isInside();
        changing = true;
        acceptNow(operation);
        changing = false;
    }

    private void acceptNow(NativeOperation operation) {
        HandleAssociation association = operation.association();
        // First of all, because it may fail for lack of memory.
        reservePlace(operation);
        // A thread that checked before the shutdown may get here after everything in flight has been cancelled.
        boolean late = shutDown.get() && operation.kind().canBeCancelled();
        if (late || association != null && association.hasEnded()) {
            completed.add(operation, -Errno.ECANCELED.number(), null, true);
            operation.phase = NativeOperation.Phase.COMPLETED;
            table.remove(operation);
        } else if (association == null) {
            toBegin(operation);
        } else {
            association.add(operation);
            if (operation.isCancelRequested()) {
                // It must not wait for its turn.
                cancelAccepted(operation);
            }
        }
    }

    private void reservePlace(NativeOperation operation) {
        completed.reserve();
        boolean added = false;
        try {
            table.add(operation);
            added = true;
        } finally {
            if (!added) {
                completed.reserveNot();
            }
        }
    }

    final void toBegin(NativeOperation operation) {
        assert isInside();
        operation.phase = NativeOperation.Phase.TO_BEGIN;
        toBegin.add(operation);
    }

    final void cancelAccepted(NativeOperation operation) {
        assert isInside();
        if (!operation.kind().canBeCancelled()) {
            // The operations that it waits for are cancelled.
            return;
        }
        switch (operation.phase) {
            case WAITING -> complete(operation, -Errno.ECANCELED.number());
            case STARVING -> {
                providedBuffers.leave(operation);
                operation.association().paused = null;
                complete(operation, -Errno.ECANCELED.number());
            }
            case TO_BEGIN -> operation.requestCancel();
            case BEGUN -> {
                operation.requestCancel();
                if (!operation.cancelTold) {
                    tellCancel(operation);
                }
            }
            default -> { }
        }
    }

    private void tellCancel(NativeOperation operation) {
        operation.cancelTold = true;
        try {
            cancelBegun(operation);
        } catch (RuntimeException | Error e) {
            if (Failures.isShortage(e)) {
                operation.cancelTold = false;
                cancelsAgain = true;
            }
            // The others must still be cancelled.
            failures.add(e);
        }
    }

    /** {@return whether {@link #cancelAgain} has something to do} */
    final boolean hasToCancelAgain() {
        return cancelsAgain;
    }

    /** Cancels those operations for whose cancellation there was no memory. */
    final void cancelAgain() {
        if (cancelsAgain) {
            cancelsAgain = false;
            table.forEach(cancellingAgain);
        }
    }

    final void countCollected() {
        collected.lazySet(collected.getPlain() + 1);
    }

    final void forget(HandleAssociation association) {
        ending(association);
        associations.remove(association);
    }

    private void cancelAll() {
        table.forEach(cancelling);
    }

    // Used by the processors for one and for several threads

    final CommandStack commands() {
        return commands;
    }

    final CompletionQueue completed() {
        return completed;
    }

    /** {@return whether no more operations are accepted} */
    final boolean isShutDown() {
        return shutDown.get();
    }

    /** {@return how many have been started from outside} */
    final long startedOutside() {
        return startedOutside.get();
    }

    final long collected() {
        return collected.get();
    }

    final Failures failures() {
        return failures;
    }

    final AtomicBoolean wakeUpRequested() {
        return wakeUpRequested;
    }

    final boolean takeWakeUp() {
        return wakeUpRequested.get() && wakeUpRequested.getAndSet(false);
    }

    final void beginAll() {
        assert isInside();
        NativeOperation operation;
        while ((operation = toBegin.poll()) != null) {
            operation.phase = NativeOperation.Phase.BEGUN;
            try {
                beginAccepted(operation);
            } catch (RuntimeException | Error e) {
                failed(operation, e);
            }
        }
    }

    private void beginAccepted(NativeOperation operation) {
        if (operation.isCancelRequested()) {
            complete(operation, -Errno.ECANCELED.number());
            return;
        }
        if (operation.association() != null && operation.association().isBehindGap(operation)) {
            operation.setFailure(operation.association().causeOfGap());
            complete(operation, -Errno.EPIPE.number());
            return;
        }
        long result = operation.setUp();
        if (result < 0) {
            complete(operation, result);
        } else if (operation.kind().needsNoCall(operation)) {
            complete(operation, operation.kind().resultWithoutCall(operation));
        } else {
            begin(operation);
        }
    }

    // Associations

    @Override
    public final Association associate(Handle handle) throws IOException {
        requireOpen();
        return associations.add(handle);
    }

    /**
     * Makes an association.
     *
     * @param handle which
     * @return a new one
     * @throws IOException if the handle is closed, or the mechanism cannot take it
     */
    protected HandleAssociation newAssociation(Handle handle) throws IOException {
        return new HandleAssociation(this, handle);
    }

    // The end

    @Override
    public final void shutdown() {
        shutDown.set(true);
        // Every time, as there may have been no memory for it before.
        if (enterInside()) {
            try {
                performAllAndCancel();
            } finally {
                leaveInside();
            }
        } else if (shutdownCommanded.compareAndSet(false, true)) {
            command(shutdownCommand);
        }
    }

    private void performAllAndCancel() {
        try {
            commands.performAll();
        } finally {
            cancelAll();
        }
    }

    /** Sets who gets the completions that nobody will collect, unless it is too late for that. */
    final void leaveRestTo(Consumer<? super Completion> taker) {
        if (!isClosed()) {
            rest = taker;
        }
    }

    /**
     * Ends whatever is in flight, and everything else. Called inside, when no other thread can enter any more. If it
     * throws for lack of memory or stack, it is not closed, and the next call goes on.
     */
    final void closeNow() {
        assert isInside();
        shutDown.set(true);
        commands.close(failures);
        cancelAll();
        beginAll();
        endInFlight();
        try {
            disposal.run();
        } catch (Throwable e) {
            failures.add(e);
        }
        if (disposal.areTaken()) {
            rest = Completion::closeUntaken;
            closed.countDown();
        }
        failures.throwKept();
    }

    private void endAssociations() {
        associations.endAll();
    }

    /** Gives back what has been reserved for the close. */
    void releaseReserved() {
    }

    private void freeMemory() {
        if (providedBuffers != null) {
            providedBuffers.retire();
        }
        if (goingOn == 0) {
            release.run();
        }
    }

    private void closeProvidedBuffers() {
        if (providedBuffers != null) {
            providedBuffers.close();
        }
    }

    private void endInFlight() {
        int failed = 0;
        while (!table.isEmpty() && failed < MOST_FAILURES) {
            // What has been interrupted may never complete.
            failed += overflow == null ? 0 : 1;
            try {
                execute(overflow == null ? FOREVER : PAUSE_NANOS);
                shortage.end();
            } catch (IOException e) {
                failures.add(new UncheckedIOException(this + " cannot end its operations", e));
                failed++;
            } catch (OutOfMemoryError e) {
                shortage.outlast(e);
            } catch (StackOverflowError e) {
                // Another call may have more of it.
                throw e;
            } catch (RuntimeException | Error e) {
                failures.add(e);
                failed++;
            }
            cancelAgain();
            beginAll();
            discardCompleted();
        }
    }

    private void discardCompleted() {
        completed.discard(rest);
    }

    /** For a mechanism that has failed for good: operations still complete, as cancelled. */
    private void abandonInFlight() {
        List<Object> touched = new ArrayList<>();
        table.forEach(operation -> abandonOrNote(operation, touched));
        discardCompleted();
        if (goingOn > 0) {
            LostMemory.keep(this, goingOn, touched);
        }
    }

    private void abandonOrNote(NativeOperation operation, List<Object> touched) {
        try {
            abandon(operation, touched);
        } catch (RuntimeException e) {
            failures.add(e);
        }
    }

    private void abandon(NativeOperation operation, List<Object> touched) {
        boolean goesOn = operation.isBegun() && !endsWithItsDisposal();
        if (goesOn) {
            operation.leaveMemory(touched);
        }
        if (!operation.isBegun()) {
            operation.kind().abandoned(operation);
        }
        complete(operation, -Errno.ECANCELED.number());
        goingOn += goesOn ? 1 : 0;
    }

    final boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** {@return 0 once it is closed} */
    final CountDownLatch closed() {
        return closed;
    }

    final void requireOpen() throws HandleClosedException {
        if (isClosed()) {
            throw new HandleClosedException(toString());
        }
    }

    // Facts

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Operation newOperation() {
        return newNativeOperation();
    }

    /** {@return a new operation} */
    protected NativeOperation newNativeOperation() {
        return new NativeOperation(this);
    }

    @Override
    public final String toString() {
        return "demultiplexer " + name;
    }
}
