package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Errno;
import dev.sluice.failure.Failures;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The operations in flight, from their acceptance to their completion. Each has a place, which its key designates, and
 * which keeps the operation and its buffers reachable while only the kernel refers to them. It waits for earlier
 * operations on its handle, is begun, may wait for a buffer, and completes once. Used inside, except where noted.
 */
final class InFlight implements Outcomes {

    private final OperationProcessor processor;
    private final CompletionQueue completed;
    private final Failures failures;
    private final ProvidedBuffers providedBuffers;

    private OperationSlot[] places = new OperationSlot[64];
    private int[] generations = new int[64];
    private int[] free = new int[64];
    private int freeCount;
    private int used;

    /** The operations to begin, linked as in an {@link OperationQueue}. */
    private @Nullable OperationSlot firstToBegin;
    private @Nullable OperationSlot lastToBegin;

    // Read by any thread
    /** The number of operations started by a thread inside. */
    final AtomicLong started = new AtomicLong();
    /** The number of operations whose last completion has been collected. */
    final AtomicLong collected = new AtomicLong();

    InFlight(OperationProcessor processor, CompletionQueue completed, Failures failures,
            ProvidedBuffers providedBuffers) {
        this.processor = processor;
        this.completed = completed;
        this.failures = failures;
        this.providedBuffers = providedBuffers;
    }

    @Override
    public boolean isInside() {
        return processor.isInside();
    }

    // Places and keys

    void add(OperationSlot operation) {
        if (freeCount == 0 && used == places.length) {
            // Assigned at the end, because there may be memory for some of the arrays only.
            OperationSlot[] morePlaces = Arrays.copyOf(places, used * 2);
            int[] moreGenerations = Arrays.copyOf(generations, used * 2);
            free = Arrays.copyOf(free, used * 2);
            places = morePlaces;
            generations = moreGenerations;
        }
        int place = freeCount > 0 ? free[--freeCount] : used++;
        places[place] = operation;
        operation.key = (long) generations[place] << Integer.SIZE | place;
    }

    void remove(OperationSlot operation) {
        int place = (int) operation.key;
        places[place] = null;
        // Never negative, so that negative numbers are free for other kinds of user data.
        generations[place] = generations[place] + 1 & Integer.MAX_VALUE;
        free[freeCount++] = place;
    }

    /** {@return the operation with the given key; null if it has completed, or there never was one} */
    @Nullable OperationSlot get(long key) {
        int place = (int) key;
        boolean given = place >= 0 && place < used && generations[place] == (int) (key >>> Integer.SIZE);
        return given ? places[place] : null;
    }

    boolean isEmpty() {
        return freeCount == used;
    }

    /** Passes all operations to an action, which may complete them. */
    void forEach(Consumer<OperationSlot> action) {
        for (int place = 0; place < used; place++) {
            if (places[place] != null) {
                action.accept(places[place]);
            }
        }
    }

    /** Called when the last completion of an operation has been collected. */
    void countCollected() {
        collected.lazySet(collected.getPlain() + 1);
    }

    // Accepting

    /** Starts an operation from inside. */
    void start(OperationSlot operation) {
        accept(operation);
        try {
            started.lazySet(started.getPlain() + 1);
        } catch (StackOverflowError e) {
            processor.overflow = e;
            throw e;
        }
    }

    /** Accepts an operation that has been started. */
    void accept(OperationSlot operation) {
        assert isInside();
        try {
            acceptOrComplete(operation);
        } catch (StackOverflowError e) {
            processor.overflow = e;
            throw e;
        }
    }

    private void acceptOrComplete(OperationSlot operation) {
        HandleAssociation association = operation.association();
        // First, because there may be no memory for it.
        reservePlace(operation);
        // A thread that checked before the shutdown may get here after all operations in flight have been cancelled.
        boolean late = processor.shutDown && operation.arguments().canBeCancelled();
        if (late || association != null && association.hasEnded()) {
            completed.add(operation, -Errno.ECANCELED.number(), null, true);
            operation.phase = OperationSlot.Phase.COMPLETED;
            remove(operation);
        } else if (association == null) {
            toBegin(operation);
        } else {
            association.add(operation);
            if (operation.isCancelRequested()) {
                // A cancelled operation does not wait for others on its handle.
                operation.cancellation.begin();
            }
        }
    }

    private void reservePlace(OperationSlot operation) {
        completed.reserve();
        boolean added = false;
        try {
            add(operation);
            added = true;
        } finally {
            if (!added) {
                completed.cancelReservation();
            }
        }
    }

    // Beginning

    /** Queues an operation to be begun, which no longer waits for others on its handle. */
    void toBegin(OperationSlot operation) {
        assert isInside();
        operation.phase = OperationSlot.Phase.TO_BEGIN;
        if (firstToBegin == null) {
            firstToBegin = operation;
        } else {
            assert lastToBegin != null;
            lastToBegin.nextWaiting = operation;
        }
        lastToBegin = operation;
    }

    /** Begins all operations that have been queued by {@link #toBegin}. */
    void beginAll() {
        assert isInside();
        if (providedBuffers.waiting.awaitingBuffer.first != null) {
            providedBuffers.waiting.resumeInTurn();
        }
        OperationSlot operation;
        try {
            while ((operation = firstToBegin) != null) {
                firstToBegin = operation.nextWaiting;
                operation.nextWaiting = null;
                operation.phase = OperationSlot.Phase.BEGUN;
                try {
                    begin(operation);
                } catch (RuntimeException | Error e) {
                    failed(operation, e);
                }
            }
        } catch (StackOverflowError e) {
            processor.overflow = e;
            throw e;
        }
    }

    private void begin(OperationSlot operation) {
        if (operation.isCancelRequested()) {
            complete(operation, -Errno.ECANCELED.number());
            return;
        }
        HandleAssociation association = operation.association();
        if (association != null && association.isBehindGap(operation)) {
            operation.failure = association.gap.cause(association);
            complete(operation, -Errno.EPIPE.number());
            return;
        }
        long result = prepare(operation.arguments());
        if (result == Arguments.NEEDS_CALL) {
            operation.begin();
        } else {
            complete(operation, result);
        }
    }

    private static long prepare(Arguments arguments) {
        try {
            return arguments.prepare();
        } catch (RuntimeException e) {
            throw new TouchedBufferException(e);
        }
    }

    // Outcomes

    @Override
    public @Nullable OperationSlot operation(long key) {
        assert isInside();
        return get(key);
    }

    @Override
    public void complete(OperationSlot operation, long result) {
        complete(operation, result, null);
    }

    @Override
    public void complete(OperationSlot operation, long result, @Nullable Object resource) {
        assert isInside();
        try {
            boolean sent = operation.arguments().done() > 0;
            boolean hasRemainder = operation.arguments().hasRemainder();
            long outcome = tearDown(operation, result);
            HandleAssociation association = operation.association();
            if (association != null && outcome < 0) {
                association.gap.add(operation, outcome, sent);
            } else if (association != null && hasRemainder) {
                association.gap.addRest(operation);
            }
            completed.add(operation, outcome, resource, true);
            operation.phase = OperationSlot.Phase.COMPLETED;
            remove(operation);
            if (association != null) {
                association.remove(operation);
                if (association.appendForces != null) {
                    association.appendForces.ended(operation, result);
                }
            }
        } catch (StackOverflowError e) {
            processor.overflow = e;
            throw e;
        }
    }

    /** {@return the result, or an error if the program has changed or freed the buffers} */
    private long tearDown(OperationSlot operation, long result) {
        try {
            takeOver(operation.arguments(), result);
            return result;
        } catch (TouchedBufferException e) {
            operation.failure = e;
        } catch (RuntimeException | Error e) {
            failures.add(e);
        }
        return Math.min(result, -Errno.EIO.number());
    }

    private static void takeOver(Arguments arguments, long result) {
        try {
            arguments.takeOver(result);
        } catch (RuntimeException e) {
            throw new TouchedBufferException(e);
        } finally {
            if (arguments.memory.isBorrowed) {
                arguments.memory.release();
            }
            arguments.release();
        }
    }

    @Override
    public void failed(OperationSlot operation, Throwable failure) {
        assert isInside();
        // A lack of memory and a changed buffer concern only this operation, and its completion reports them. An
        // exception of the wait would affect all operations.
        boolean shortage = failure instanceof OutOfMemoryError;
        boolean touched = failure instanceof TouchedBufferException;
        try {
            if (!shortage && !touched) {
                failures.add(failure);
            }
            Execution<?> execution = operation.execution();
            if (operation.isBegun() && (execution == null || execution.releaseBorrowed())) {
                if (touched) {
                    operation.failure = failure;
                }
                complete(operation, -errorOf(operation, failure).number());
            } else if (touched) {
                // No completion reports the failure.
                failures.add(failure);
            }
        } catch (StackOverflowError e) {
            // The operation may not have completed, and nothing else would complete it.
            processor.overflow = e;
        } catch (RuntimeException | Error e) {
            failures.add(e);
        }
    }

    private static Errno errorOf(OperationSlot operation, Throwable failure) {
        if (failure instanceof OutOfMemoryError) {
            return Errno.ENOMEM;
        }
        return failure instanceof TouchedBufferException && operation.isCancelRequested() ? Errno.ECANCELED : Errno.EIO;
    }

    @Override
    public void failed(Throwable failure) {
        failures.add(failure);
    }

    @Override
    public void report(OperationSlot operation, long result, Object resource) {
        assert isInside();
        if (resource instanceof PooledBuffer buffer) {
            buffer.receivedBy(operation.handleAssociation());
        }
        completed.add(operation, result, resource, false);
    }

    @Override
    public void attempted(OperationSlot operation, long result) {
        if (!hasMore(operation, result)) {
            return;
        }
        if (operation.isCancelRequested()) {
            complete(operation, -Errno.ECANCELED.number());
        } else {
            operation.begin();
        }
    }

    @Override
    public boolean hasMore(OperationSlot operation, long result) {
        assert isInside();
        if (result < 0) {
            complete(operation, result);
            return false;
        }
        boolean more = operation.arguments().moved(result);
        if (!more) {
            complete(operation, operation.arguments().result(result));
        }
        return more;
    }

    @Override
    public void awaitProvidedBuffer(OperationSlot operation) {
        assert isInside();
        if (operation.isCancelRequested()) {
            complete(operation, -Errno.ECANCELED.number());
        } else {
            operation.phase = OperationSlot.Phase.AWAITING_BUFFER;
            providedBuffers.waiting.await(operation);
        }
    }

    @Override
    public boolean pause(OperationSlot operation) {
        if (!providedBuffers.hasReachedShare(operation.handleAssociation())) {
            return false;
        }
        if (operation.isCancelRequested()) {
            complete(operation, -Errno.ECANCELED.number());
        } else {
            operation.phase = OperationSlot.Phase.AWAITING_BUFFER;
            providedBuffers.waiting.pause(operation);
        }
        return true;
    }

    @Override
    public ProvidedBuffers providedBuffers() {
        return providedBuffers;
    }
}
