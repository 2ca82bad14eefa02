package dev.sluice.demultiplexers.operation;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Memory;
import dev.sluice.demultiplexer.Association;
import dev.sluice.demultiplexer.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.Completions;
import dev.sluice.demultiplexer.HandleSetKind;
import dev.sluice.demultiplexer.Operation;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The papers' Asynchronous Operation Processor and its completion event queue, for one loop thread. A subclass executes
 * the operations.
 */
public abstract class OperationProcessor implements AsynchronousEventDemultiplexer {

    private static final int BLOCKS_PER_SLAB = 64;
    private static final int STAGES_PER_SLAB = 4;
    private static final long PAUSE_MILLIS = 10;

    private final String name;
    private final Memory memory = Bindings.current().memory();

    // From any thread
    private final Map<Handle, HandleAssociation> associations = new ConcurrentHashMap<>();
    private final CommandStack commands = new CommandStack();
    private final Command shutdownCommand = new Command() {
        @Override
        void perform() {
            cancelAll();
        }
    };
    private final AtomicBoolean shutDown = new AtomicBoolean();
    private final AtomicLong startedElsewhere = new AtomicLong();
    // Both are written by the loop thread alone.
    private final AtomicLong startedHere = new AtomicLong();
    private final AtomicLong collected = new AtomicLong();
    private final AtomicBoolean inside = new AtomicBoolean();
    private volatile Thread loopThread;
    private volatile boolean waiting;
    private final AtomicBoolean wakeUpRequested = new AtomicBoolean();
    private volatile boolean closeRequested;
    private volatile boolean closing;
    private final CountDownLatch closed = new CountDownLatch(1);

    // On the loop thread
    private final OperationTable table = new OperationTable();
    private final ArrayDeque<NativeOperation> toBegin = new ArrayDeque<>();
    private final CompletionQueue completed = new CompletionQueue();
    private final BlockPool blocks = new BlockPool(memory, NativeOperation.BLOCK_SIZE, BLOCKS_PER_SLAB);
    private final BlockPool stages = new BlockPool(memory, NativeOperation.STAGE_SIZE, STAGES_PER_SLAB);
    private final ProvidedBuffers.Size providedBuffersSize;
    private volatile ProvidedBuffers providedBuffers;

    /**
     * Makes one that nothing has been started on.
     *
     * @param name            by which it is chosen
     * @param providedBuffers for continuous receives
     */
    protected OperationProcessor(String name, ProvidedBuffers.Size providedBuffers) {
        this.name = name;
        this.providedBuffersSize = providedBuffers;
    }

    // What the subclass does, on the loop thread

    /**
     * Executes an operation, or goes on with it. It may be completed at once.
     *
     * @param operation set up
     */
    protected abstract void begin(NativeOperation operation);

    /**
     * Tries to end an operation that is being executed. It must still be completed, now or later.
     *
     * @param operation begun, and not to be attempted again
     */
    protected abstract void cancelBegun(NativeOperation operation);

    /**
     * Makes operations progress and completes them.
     *
     * @param timeoutNanos how long to wait if nothing completes and nobody signals; negative for ever
     * @throws IOException if the system call fails
     */
    protected abstract void execute(long timeoutNanos) throws IOException;

    /** Ends {@link #execute} of the loop thread, now or the next time. From any thread, also after the disposal. */
    protected abstract void signal();

    /**
     * The association takes no more operations; what is in flight on it is about to be cancelled. From any thread,
     * perhaps more than once, and before its handle can be associated again.
     *
     * @param association which
     */
    protected void ending(HandleAssociation association) {
    }

    /**
     * A provided buffer can be used again.
     *
     * @param buffer which
     */
    protected abstract void provide(PooledBuffer buffer);

    /** Gives back what belongs to the mechanism. Called once, when nothing is in flight any more. */
    protected abstract void dispose();

    // What the subclass uses, on the loop thread

    /** {@return the operation of {@link NativeOperation#key()}, null if it has completed} */
    protected final NativeOperation operation(long key) {
        return table.get(key);
    }

    /** {@return the buffers for continuous receives} */
    protected final ProvidedBuffers providedBuffers() {
        if (providedBuffers == null) {
            providedBuffers = new ProvidedBuffers(this, providedBuffersSize);
        }
        return providedBuffers;
    }

    /** {@return whether there are completions to be collected} */
    protected final boolean hasCompleted() {
        return !completed.isEmpty();
    }

    /**
     * Completes an operation for good.
     *
     * @param operation begun
     * @param result    of it
     * @param resource  what it brings, or null
     */
    protected final void complete(NativeOperation operation, long result, Object resource) {
        operation.tearDown(result);
        operation.phase = NativeOperation.Phase.COMPLETED;
        table.remove(operation);
        completed.add(operation, result, resource, true);
        if (operation.handle() != null) {
            operation.handle().remove(operation);
        }
        if (operation.type() == OperationType.RECEIVE_CONTINUOUSLY && providedBuffers != null) {
            providedBuffers.passOn();
        }
    }

    /**
     * Completes an operation for good.
     *
     * @param operation begun
     * @param result    of it
     */
    protected final void complete(NativeOperation operation, long result) {
        complete(operation, result, null);
    }

    /**
     * Reports one of many successes of a continuous operation.
     *
     * @param operation begun
     * @param result    of it
     * @param resource  what it brings
     */
    protected final void report(NativeOperation operation, long result, Object resource) {
        completed.add(operation, result, resource, false);
    }

    /**
     * Goes on with an operation after one attempt, unless it has been cancelled meanwhile.
     *
     * @param operation begun, not being executed
     */
    protected final void again(NativeOperation operation) {
        if (operation.isCancelRequested()) {
            complete(operation, -Errno.ECANCELED.number());
        } else {
            begin(operation);
        }
    }

    /**
     * Takes the result of an attempt to move bytes.
     *
     * @param operation begun, not being executed
     * @param result    bytes moved, or a negated error number
     */
    protected final void attempted(NativeOperation operation, long result) {
        if (hasMore(operation, result)) {
            again(operation);
        }
    }

    /**
     * Takes the result of an attempt to move bytes, and completes the operation unless it needs another attempt.
     *
     * @param operation begun, not being executed
     * @param result    bytes moved, or a negated error number
     * @return whether it needs one
     */
    protected final boolean hasMore(NativeOperation operation, long result) {
        if (result < 0) {
            complete(operation, result);
            return false;
        }
        boolean more = operation.moved(result);
        if (!more) {
            complete(operation, result(operation, result));
        }
        return more;
    }

    private static long result(NativeOperation operation, long lastAttempt) {
        return switch (operation.type()) {
            case SEND, WRITE -> operation.done();
            default -> lastAttempt;
        };
    }

    /**
     * Has a continuous receive wait until a provided buffer comes back.
     *
     * @param operation begun, not being executed
     */
    protected final void starve(NativeOperation operation) {
        if (operation.isCancelRequested()) {
            complete(operation, -Errno.ECANCELED.number());
        } else {
            operation.phase = NativeOperation.Phase.STARVING;
            providedBuffers().await(operation);
        }
    }

    /**
     * Hands out all operations that are being executed, to be completed.
     *
     * @param completes must complete each
     */
    protected final void forEachBegun(Consumer<NativeOperation> completes) {
        for (int place = 0; place < table.places(); place++) {
            NativeOperation operation = table.at(place);
            if (operation != null && operation.isBegun()) {
                completes.accept(operation);
            }
        }
    }

    // From the other classes of this package

    final Memory memory() {
        return memory;
    }

    /** {@return the address of a direct buffer, which has to be accessible to any thread} */
    final long address(ByteBuffer direct) {
        ProvidedBuffers provided = providedBuffers;
        long known = provided == null ? -1 : provided.address(direct);
        return known >= 0 ? known : memory.sharedAddress(direct);
    }

    final BlockPool blocks() {
        return blocks;
    }

    final BlockPool stages() {
        return stages;
    }

    final boolean inLoop() {
        return Thread.currentThread() == loopThread;
    }

    /**
     * Has the loop thread perform something.
     *
     * @return whether it will; false after the close
     */
    final boolean command(Command command) {
        boolean accepted = commands.push(command);
        if (accepted && waiting) {
            signal();
        }
        return accepted;
    }

    final void start(NativeOperation operation) {
        if (shutDown.get()) {
            throw new IllegalStateException(this + " is shut down");
        }
        if (inLoop()) {
            startedHere.lazySet(startedHere.getPlain() + 1);
            accept(operation);
        } else if (commands.push(operation.startCommand)) {
            startedElsewhere.incrementAndGet();
            if (waiting) {
                signal();
            }
        } else {
            throw new IllegalStateException(this + " is closed");
        }
    }

    final void accept(NativeOperation operation) {
        table.add(operation);
        HandleAssociation association = operation.handle();
        if (association == null) {
            toBegin(operation);
        } else if (association.hasEnded()) {
            completed.add(operation, -Errno.ECANCELED.number(), null, true);
            operation.phase = NativeOperation.Phase.COMPLETED;
            table.remove(operation);
        } else {
            association.add(operation);
        }
    }

    final void toBegin(NativeOperation operation) {
        operation.phase = NativeOperation.Phase.TO_BEGIN;
        toBegin.add(operation);
    }

    final void cancelAccepted(NativeOperation operation) {
        switch (operation.phase) {
            case WAITING -> complete(operation, -Errno.ECANCELED.number());
            case STARVING -> {
                providedBuffers.leave(operation);
                complete(operation, -Errno.ECANCELED.number());
            }
            case TO_BEGIN -> operation.requestCancel();
            case BEGUN -> {
                if (!operation.isCancelRequested()) {
                    operation.requestCancel();
                    cancelBegun(operation);
                }
            }
            default -> { }
        }
    }

    final void countCollected() {
        collected.lazySet(collected.getPlain() + 1);
    }

    final void forget(HandleAssociation association) {
        ending(association);
        associations.remove(association.handle(), association);
    }

    private void cancelAll() {
        for (int place = 0; place < table.places(); place++) {
            NativeOperation operation = table.at(place);
            if (operation != null) {
                cancelAccepted(operation);
            }
        }
    }

    // Waiting

    @Override
    public final int awaitCompletions(Completions completions, long timeoutNanos) throws IOException {
        completions.clear();
        enter();
        try {
            long deadline = timeoutNanos > 0 ? System.nanoTime() + timeoutNanos : 0;
            long left = timeoutNanos;
            while (true) {
                executeOnce(left);
                boolean wokenUp = wakeUpRequested.get() && wakeUpRequested.getAndSet(false);
                if (wokenUp || hasCompleted()) {
                    completed.collect(completions);
                    return completions.size();
                }
                if (timeoutNanos >= 0) {
                    left = timeoutNanos == 0 ? 0 : deadline - System.nanoTime();
                    if (left <= 0) {
                        return 0;
                    }
                }
            }
        } finally {
            inside.set(false);
        }
    }

    private void enter() throws HandleClosedException {
        requireOpen();
        // Whoever is refused inside is out again at once; only another loop thread and the one who closes stay.
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
            // After the shutdown somebody else may collect what is left.
            boolean replaces = loopThread == null || shutDown.get() && !loopThread.isAlive();
            if (!replaces || closed.getCount() == 0) {
                inside.set(false);
                requireOpen();
                throw new IllegalStateException(this + " belongs to " + loopThread);
            }
            loopThread = current;
        }
    }

    private void executeOnce(long timeoutNanos) throws IOException {
        if (closeRequested) {
            closeNow();
            throw new HandleClosedException(toString());
        }
        commands.performAll();
        beginAll();
        if (timeoutNanos == 0 || hasCompleted()) {
            execute(0);
        } else {
            waiting = true;
            // Who comes after this look sees that it has to signal.
            boolean ready = !commands.isEmpty() || wakeUpRequested.get() || closeRequested;
            execute(ready ? 0 : timeoutNanos);
            waiting = false;
        }
    }

    private void beginAll() {
        NativeOperation operation;
        while ((operation = toBegin.poll()) != null) {
            operation.phase = NativeOperation.Phase.BEGUN;
            if (operation.isCancelRequested()) {
                complete(operation, -Errno.ECANCELED.number());
                continue;
            }
            long result = operation.setUp();
            if (result < 0) {
                complete(operation, result);
            } else if (operation.needsNoCall()) {
                complete(operation, operation.type() == OperationType.POST ? operation.amount() : 0);
            } else {
                begin(operation);
            }
        }
    }

    @Override
    public final void wakeUp() {
        wakeUpRequested.set(true);
        if (waiting) {
            signal();
        }
    }

    // Associations

    @Override
    public final Association associate(Handle handle) throws IOException {
        requireOpen();
        HandleAssociation association = newAssociation(handle);
        if (associations.putIfAbsent(handle, association) != null) {
            association.abandon();
            throw new IllegalStateException(handle + " is associated with " + this + " already");
        }
        try {
            association.attach();
        } catch (HandleClosedException e) {
            associations.remove(handle, association);
            throw e;
        }
        if (shutDown.get() && associations.remove(handle, association)) {
            association.abandon();
            throw new HandleClosedException(toString());
        }
        return association;
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
        if (shutDown.compareAndSet(false, true)) {
            if (inLoop()) {
                commands.performAll();
                cancelAll();
            } else {
                command(shutdownCommand);
            }
        }
    }

    @Override
    public final int inFlight() {
        // What is collected has been started before: read in this order the difference is never negative.
        long ended = collected.get();
        return (int) (startedHere.get() + startedElsewhere.get() - ended);
    }

    @Override
    public final void close() {
        boolean interrupted = false;
        while (closed.getCount() > 0) {
            if (inside.compareAndSet(false, true)) {
                try {
                    closeInside();
                } finally {
                    inside.set(false);
                }
            } else {
                closeRequested = true;
                signal();
                try {
                    // The thread inside may be on its way out, and not see the request.
                    closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeInside() {
        if (closed.getCount() > 0) {
            Thread loop = loopThread;
            if (loop != null && !inLoop() && inFlight() > 0 && loop.isAlive()) {
                closeRequested = false;
                throw new IllegalStateException(this + " has operations in flight that only " + loop
                        + " can end: it has to close it, or be waiting, or have ended");
            }
            closing = true;
            loopThread = Thread.currentThread();
            closeNow();
        }
    }

    private void closeNow() {
        shutDown.set(true);
        try {
            commands.close();
            cancelAll();
            beginAll();
            while (!table.isEmpty()) {
                execute(FOREVER);
                beginAll();
                completed.discard();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(this + " cannot end its operations", e);
        } finally {
            completed.discard();
            associations.values().forEach(this::endNow);
            dispose();
            if (providedBuffers != null) {
                providedBuffers.close();
            }
            blocks.close();
            stages.close();
            closed.countDown();
        }
    }

    private void endNow(HandleAssociation association) {
        // Who takes it out of the table is the one who ends it.
        if (associations.remove(association.handle(), association)) {
            association.endNow();
        }
    }

    private void requireOpen() throws HandleClosedException {
        if (closed.getCount() == 0) {
            throw new HandleClosedException(toString());
        }
    }

    // Facts

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final HandleSetKind handleSetKind() {
        return HandleSetKind.ITERATIVE;
    }

    @Override
    public final Operation newOperation(Object attachment) {
        return newNativeOperation(attachment);
    }

    /**
     * Makes an operation.
     *
     * @param attachment as for {@link #newOperation}
     * @return a new one
     */
    protected NativeOperation newNativeOperation(Object attachment) {
        return new NativeOperation(this, attachment);
    }

    @Override
    public final Completions newCompletions(int capacity) {
        return new CollectedCompletions(capacity);
    }

    @Override
    public final String toString() {
        return "demultiplexer " + name;
    }
}
