package dev.sluice.demultiplexers.operation;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Memory;
import dev.sluice.demultiplexer.Association;
import dev.sluice.demultiplexer.AsynchronousEventDemultiplexer;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The papers' Asynchronous Operation Processor and its completion event queue. {@link LoopProcessor} and
 * {@link SharedProcessor} say which threads may be inside; below them, a subclass executes the operations.
 */
public abstract class OperationProcessor implements AsynchronousEventDemultiplexer, Outcomes {

    private static final int BLOCKS_PER_SLAB = 64;
    private static final int STAGES_PER_SLAB = 4;

    private final String name;
    private final VectorForm vectorForm;
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
    private final AtomicLong startedOutside = new AtomicLong();
    // Written inside alone.
    private final AtomicLong collected = new AtomicLong();
    private final AtomicBoolean wakeUpRequested = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    // Inside
    private final OperationTable table = new OperationTable();
    private final ArrayDeque<NativeOperation> toBegin = new ArrayDeque<>();
    private final CompletionQueue completed;
    private final BlockPool blocks = new BlockPool(memory, NativeOperation.BLOCK_SIZE, BLOCKS_PER_SLAB);
    private final BlockPool stages = new BlockPool(memory, NativeOperation.STAGE_SIZE, STAGES_PER_SLAB);
    private final ProvidedBuffers.Size providedBuffersSize;
    private volatile ProvidedBuffers providedBuffers;

    /**
     * Makes one that nothing has been started on.
     *
     * @param name            by which it is chosen
     * @param vectorForm      how the system wants its vectors and messages
     * @param providedBuffers for continuous receives
     * @param completed       where completions are collected from
     */
    OperationProcessor(String name, VectorForm vectorForm, ProvidedBuffers.Size providedBuffers,
            CompletionQueue completed) {
        this.name = name;
        this.vectorForm = vectorForm;
        this.completed = completed;
        this.providedBuffersSize = providedBuffers;
    }

    // What the subclass does, inside

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

    // What the subclass uses, inside

    /** {@return the operation of {@link NativeOperation#key()}, null if it has completed} */
    protected final NativeOperation operation(long key) {
        return table.get(key);
    }

    @Override
    public final ProvidedBuffers providedBuffers() {
        if (providedBuffers == null) {
            providedBuffers = new ProvidedBuffers(this, providedBuffersSize);
        }
        return providedBuffers;
    }

    /** {@return whether there are completions to be collected} */
    protected final boolean hasCompleted() {
        return !completed.isEmpty();
    }

    @Override
    public final void complete(NativeOperation operation, long result, Object resource) {
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

    @Override
    public final void report(NativeOperation operation, long result, Object resource) {
        completed.add(operation, result, resource, false);
    }

    @Override
    public final void again(NativeOperation operation) {
        if (operation.isCancelRequested()) {
            complete(operation, -Errno.ECANCELED.number());
        } else {
            begin(operation);
        }
    }

    @Override
    public final boolean hasMore(NativeOperation operation, long result) {
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

    @Override
    public final void starve(NativeOperation operation) {
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

    final VectorForm vectorForm() {
        return vectorForm;
    }

    /** {@return whether the calling thread is the one that may touch what belongs to the inside} */
    abstract boolean isInside();

    /**
     * Has something performed inside.
     *
     * @return whether it will be; false after the close
     */
    abstract boolean command(Command command);

    abstract void start(NativeOperation operation);

    /** Starts one without being inside. */
    final void startFromOutside(NativeOperation operation) {
        // Counted first: whoever waits for the last operation after a shutdown must not miss one that is on its way.
        startedOutside.incrementAndGet();
        if (shutDown.get() || !command(operation.startCommand)) {
            startedOutside.decrementAndGet();
            // And has to look again if there is none after all.
            wakeUp();
            throw refusal();
        }
    }

    final IllegalStateException refusal() {
        return new IllegalStateException(this + " is shut down");
    }

    final void accept(NativeOperation operation) {
        table.add(operation);
        HandleAssociation association = operation.handle();
        // Who looked before the shutdown may come here after everything in flight has been cancelled.
        if (shutDown.get() || association != null && association.hasEnded()) {
            completed.add(operation, -Errno.ECANCELED.number(), null, true);
            operation.phase = NativeOperation.Phase.COMPLETED;
            table.remove(operation);
        } else if (association == null) {
            toBegin(operation);
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

    // What the processors for one and for several threads share

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

    final AtomicBoolean wakeUpRequested() {
        return wakeUpRequested;
    }

    final boolean takeWakeUp() {
        return wakeUpRequested.get() && wakeUpRequested.getAndSet(false);
    }

    final void beginAll() {
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

    // Associations

    @Override
    public final Association associate(Handle handle) throws IOException {
        requireOpen();
        // Before the mechanism is asked, which may not take a handle twice.
        requireNotAssociated(associations.get(handle));
        HandleAssociation association = newAssociation(handle);
        HandleAssociation other = associations.putIfAbsent(handle, association);
        if (other != null) {
            association.abandon();
            requireNotAssociated(other);
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

    private void requireNotAssociated(HandleAssociation association) {
        if (association != null) {
            throw new IllegalStateException(association + " is associated with " + this + " already");
        }
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
            if (isInside()) {
                commands.performAll();
                cancelAll();
            } else {
                command(shutdownCommand);
            }
        }
    }

    /** Ends whatever is in flight, and everything else. Inside, with nobody else to come in any more. */
    final void closeNow() {
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
    public final String toString() {
        return "demultiplexer " + name;
    }
}
