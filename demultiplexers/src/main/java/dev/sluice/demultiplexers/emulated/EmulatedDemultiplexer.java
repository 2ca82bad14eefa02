package dev.sluice.demultiplexers.emulated;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.ReadyHandles;
import dev.sluice.demultiplexer.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.Trigger;
import dev.sluice.demultiplexers.operation.Deadlines;
import dev.sluice.demultiplexers.operation.FilePool;
import dev.sluice.demultiplexers.operation.HandleAssociation;
import dev.sluice.demultiplexers.operation.LoopProcessor;
import dev.sluice.demultiplexers.operation.NativeOperation;
import dev.sluice.demultiplexers.operation.PooledBuffer;
import dev.sluice.demultiplexers.operation.ProvidedBuffers;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.util.ArrayDeque;

/** Completion through readiness: waits with a synchronous demultiplexer and executes operations on what is ready. */
public final class EmulatedDemultiplexer extends LoopProcessor {

    private static final int READY_HANDLES = 512;
    /** How often one handle is received from, sent to or accepted on, before others get their turn. */
    private static final int ATTEMPTS_PER_TURN = 8;

    private final SynchronousEventDemultiplexer readiness;
    private final ReadyHandles ready;
    private final Calls calls = new Calls(Bindings.current());
    private final FilePool files;
    private final Deadlines deadlines = new Deadlines();
    private final ArrayDeque<EmulatedOperation> toCancel = new ArrayDeque<>();
    private final ArrayDeque<PooledBuffer> freeBuffers = new ArrayDeque<>();

    /**
     * Makes one that goes by the name of what it waits with.
     *
     * @param readiness       an empty, level-triggered set; it belongs to this demultiplexer from now on
     * @param providedBuffers for continuous receives
     * @throws IllegalArgumentException if the set is not level-triggered
     */
    public EmulatedDemultiplexer(SynchronousEventDemultiplexer readiness, ProvidedBuffers.Size providedBuffers) {
        super(readiness.name(), providedBuffers);
        // An operation that waits is told of readiness that was there before.
        if (readiness.trigger() != Trigger.LEVEL) {
            throw new IllegalArgumentException(readiness.name() + " is not level-triggered");
        }
        this.readiness = readiness;
        this.ready = readiness.newReadyHandles(READY_HANDLES);
        this.files = new FilePool("sluice-" + readiness.name(), calls::perform, readiness::wakeUp);
    }

    @Override
    protected NativeOperation newNativeOperation(Object attachment) {
        return new EmulatedOperation(this, attachment);
    }

    @Override
    protected HandleAssociation newAssociation(Handle handle) throws IOException {
        return new EmulatedAssociation(this, handle, readiness);
    }

    @Override
    protected void ending(HandleAssociation association) {
        ((EmulatedAssociation) association).leave();
    }

    // Operations

    @Override
    protected void begin(NativeOperation begun) {
        EmulatedOperation operation = (EmulatedOperation) begun;
        switch (operation.type()) {
            case ACCEPT, ACCEPT_CONTINUOUSLY, RECEIVE, RECEIVE_CONTINUOUSLY, RECEIVE_FROM ->
                    await(operation, EventType.READ);
            case POLL -> await(operation, (int) operation.amount());
            case CONNECT -> connect(operation);
            case SEND, SEND_TO -> move(operation, EventType.WRITE);
            case SHUTDOWN -> complete(operation, calls.perform(operation));
            case TRANSMIT_FILE -> {
                // Borrowed here, because the pool's threads cannot.
                operation.structure();
                files.submit(operation);
            }
            case OPEN, READ, WRITE, FORCE, CLOSE -> files.submit(operation);
            case TIMEOUT -> deadlines.add(operation);
            case POST -> throw new IllegalStateException("a post needs no execution");
        }
    }

    private static EmulatedAssociation association(EmulatedOperation operation) {
        return (EmulatedAssociation) operation.handle();
    }

    private void await(EmulatedOperation operation, int events) {
        int failure = association(operation).await(operation, events);
        if (failure < 0) {
            complete(operation, failure);
        }
    }

    @Override
    protected void cancelBegun(NativeOperation operation) {
        // Only the wait completes it: till then the operation holds what it uses.
        toCancel.add((EmulatedOperation) operation);
    }

    private void cancelAll() {
        EmulatedOperation operation;
        while ((operation = toCancel.poll()) != null) {
            if (stops(operation)) {
                complete(operation, -Errno.ECANCELED.number());
            }
        }
    }

    private boolean stops(EmulatedOperation operation) {
        if (operation.awaited != 0) {
            association(operation).endAwait(operation);
            return true;
        }
        return switch (operation.type()) {
            case TIMEOUT -> {
                deadlines.remove(operation);
                yield true;
            }
            // Nobody else would close the descriptor.
            case CLOSE -> false;
            default -> files.withdraw(operation);
        };
    }

    private void connect(EmulatedOperation operation) {
        long result = calls.perform(operation);
        // Interrupted it goes on all the same (connect(2)).
        if (Errno.EINPROGRESS.is(result) || Errno.EINTR.is(result)) {
            await(operation, EventType.WRITE);
        } else {
            complete(operation, result);
        }
    }

    private void move(EmulatedOperation operation, int awaited) {
        for (int i = 0; i < ATTEMPTS_PER_TURN; i++) {
            long result = calls.perform(operation);
            if (Errno.EAGAIN.is(result)) {
                break;
            }
            if (!hasMore(operation, result)) {
                return;
            }
        }
        await(operation, awaited);
    }

    private void accept(EmulatedOperation operation) {
        for (int i = 0; i < ATTEMPTS_PER_TURN; i++) {
            int result = (int) calls.perform(operation);
            if (result >= 0) {
                SocketStream stream = operation.acceptor().adopt(result);
                if (operation.type() == OperationType.ACCEPT) {
                    complete(operation, 0, stream);
                    return;
                }
                report(operation, 0, stream);
            } else if (Errno.EAGAIN.is(result)) {
                break;
            } else if (!SocketAcceptor.passedOver(Errno.of(result))) {
                complete(operation, result);
                return;
            }
        }
        await(operation, EventType.READ);
    }

    private void receiveContinuously(EmulatedOperation operation) {
        boolean drained = false;
        for (int i = 0; i < ATTEMPTS_PER_TURN && !drained; i++) {
            PooledBuffer buffer = freeBuffer();
            if (buffer == null) {
                starve(operation);
                return;
            }
            long result = calls.receive(operation, buffer);
            if (result > 0) {
                report(operation, result, buffer.filled((int) result));
                drained = result < buffer.size();
            } else {
                providedBuffers().giveBack(buffer);
                if (!Errno.EAGAIN.is(result)) {
                    complete(operation, result);
                    return;
                }
                drained = true;
            }
        }
        await(operation, EventType.READ);
    }

    private PooledBuffer freeBuffer() {
        if (freeBuffers.isEmpty()) {
            providedBuffers().grow();
        }
        return freeBuffers.poll();
    }

    @Override
    protected void provide(PooledBuffer buffer) {
        // On top: what was used last is in the processor's cache.
        freeBuffers.push(buffer);
    }

    private void performed(EmulatedOperation operation, long result) {
        switch (operation.type()) {
            case TRANSMIT_FILE -> transmitted(operation, result);
            case OPEN -> complete(operation, Math.min(result, 0),
                    result < 0 ? null : FileHandle.adopt(result, operation.path(), operation.openOptions()));
            default -> attempted(operation, result);
        }
    }

    private void transmitted(EmulatedOperation operation, long result) {
        if (Errno.EAGAIN.is(result) && !operation.isCancelRequested()) {
            await(operation, EventType.WRITE);
        } else if (result < 0) {
            complete(operation, Errno.EAGAIN.is(result) ? -Errno.ECANCELED.number() : result);
        } else {
            operation.moved(result);
            if (result == 0 || operation.done() == operation.amount()) {
                complete(operation, operation.done());
            } else {
                again(operation);
            }
        }
    }

    // The wait

    @Override
    protected void execute(long timeoutNanos) throws IOException {
        cancelAll();
        int found = readiness.awaitReady(ready, hasCompleted() ? 0 : deadlines.bound(timeoutNanos));
        for (int i = 0; i < found; i++) {
            int events = ready.events(i);
            if (events != 0) {
                resume((EmulatedAssociation) ready.registration(i).attachment(), events);
            }
        }
        NativeOperation operation = files.takePerformed();
        while (operation != null) {
            NativeOperation next = operation.takeNextPerformed();
            performed((EmulatedOperation) operation, operation.performedResult());
            operation = next;
        }
        while ((operation = deadlines.pollDue()) != null) {
            complete(operation, 0);
        }
    }

    private void resume(EmulatedAssociation association, int events) throws IOException {
        int expected = resume(association.active(true), events) | resume(association.active(false), events);
        if (association.hasPolls()) {
            NativeOperation operation = association.first();
            while (operation != null) {
                // A poll completes and leaves the list.
                NativeOperation following = operation.following();
                if (operation.type() == OperationType.POLL) {
                    expected |= resume(operation, events);
                }
                operation = following;
            }
        }
        if ((events & ~expected) != 0) {
            association.withdraw(events & ~expected);
        }
    }

    /** {@return the events that it waited for and that may be waited for again} */
    private int resume(NativeOperation waiting, int events) {
        if (!(waiting instanceof EmulatedOperation operation) || (operation.awaited & events) == 0) {
            return 0;
        }
        int came = operation.awaited & events;
        association(operation).endAwait(operation);
        switch (operation.type()) {
            case ACCEPT, ACCEPT_CONTINUOUSLY -> accept(operation);
            case RECEIVE_CONTINUOUSLY -> receiveContinuously(operation);
            case RECEIVE, RECEIVE_FROM -> move(operation, EventType.READ);
            case SEND, SEND_TO -> move(operation, EventType.WRITE);
            case CONNECT -> complete(operation, calls.connected(operation));
            case POLL -> complete(operation, came);
            case TRANSMIT_FILE -> {
                files.submit(operation);
                // Writable as long as the pool's thread has not filled it up again.
                return 0;
            }
            default -> throw new IllegalStateException("waits for no event: " + operation);
        }
        return came;
    }

    // The end

    @Override
    protected void signal() {
        readiness.wakeUp();
    }

    @Override
    protected void dispose() {
        files.close();
        readiness.close();
        ready.close();
    }
}
