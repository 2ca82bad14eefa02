package dev.sluice.demultiplexers.emulated;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.ReadyHandles;
import dev.sluice.demultiplexers.operation.Deadlines;
import dev.sluice.demultiplexers.operation.FilePool;
import dev.sluice.demultiplexers.operation.NativeOperation;
import dev.sluice.demultiplexers.operation.Outcomes;
import dev.sluice.demultiplexers.operation.PooledBuffer;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.util.ArrayDeque;

/** Executes operations on what is ready, whoever waits for that. Inside. */
final class Emulation implements AutoCloseable {

    /** How often one handle is received from, sent to or accepted on, before others get their turn. */
    private static final int ATTEMPTS_PER_TURN = 8;

    private final Outcomes outcomes;
    private final Deadlines deadlines;
    private final Calls calls = new Calls(Bindings.current());
    private final FilePool files;
    private final ArrayDeque<EmulatedOperation> toCancel = new ArrayDeque<>();
    private final ArrayDeque<PooledBuffer> freeBuffers = new ArrayDeque<>();

    /**
     * Makes one that executes nothing yet.
     *
     * @param name      of the demultiplexer
     * @param outcomes  is told what came of the operations
     * @param deadlines gets the timeouts
     * @param signal    has somebody {@link #takePerformed}, from any thread
     */
    Emulation(String name, Outcomes outcomes, Deadlines deadlines, Runnable signal) {
        this.outcomes = outcomes;
        this.deadlines = deadlines;
        this.files = new FilePool("sluice-" + name, calls::perform, signal, outcomes::failed);
    }

    void begin(EmulatedOperation operation) {
        switch (operation.type()) {
            case ACCEPT, ACCEPT_CONTINUOUSLY, RECEIVE, RECEIVE_CONTINUOUSLY, RECEIVE_FROM ->
                    await(operation, EventType.READ);
            case POLL -> await(operation, (int) operation.amount());
            case CONNECT -> connect(operation);
            case SEND, SEND_TO -> move(operation, EventType.WRITE);
            case SHUTDOWN -> outcomes.complete(operation, calls.perform(operation));
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
            outcomes.complete(operation, failure);
        }
    }

    /** Has an operation cancelled by the next wait: till then it holds what it uses. */
    void cancel(EmulatedOperation operation) {
        toCancel.add(operation);
    }

    /** {@return whether there is something for {@link #stopCancelled}} */
    boolean hasCancelled() {
        return !toCancel.isEmpty();
    }

    /** Completes as cancelled what can be stopped. */
    void stopCancelled() {
        EmulatedOperation operation;
        while ((operation = toCancel.poll()) != null) {
            // It may have completed meanwhile, and even have been started again.
            boolean going = operation.isBegun() && operation.isCancelRequested();
            if (going && stops(operation)) {
                outcomes.complete(operation, -Errno.ECANCELED.number());
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
            default -> files.withdraw(operation);
        };
    }

    private void connect(EmulatedOperation operation) {
        long result = calls.perform(operation);
        // Interrupted it goes on all the same (connect(2)).
        if (Errno.EINPROGRESS.is(result) || Errno.EINTR.is(result)) {
            await(operation, EventType.WRITE);
        } else {
            outcomes.complete(operation, result);
        }
    }

    private void move(EmulatedOperation operation, int awaited) {
        for (int i = 0; i < ATTEMPTS_PER_TURN; i++) {
            long result = calls.perform(operation);
            if (Errno.EAGAIN.is(result)) {
                break;
            }
            if (!outcomes.hasMore(operation, result)) {
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
                    outcomes.complete(operation, 0, stream);
                    return;
                }
                outcomes.report(operation, 0, stream);
            } else if (Errno.EAGAIN.is(result)) {
                break;
            } else if (!SocketAcceptor.passedOver(Errno.of(result))) {
                outcomes.complete(operation, result);
                return;
            }
        }
        await(operation, EventType.READ);
    }

    private void receiveContinuously(EmulatedOperation operation) {
        if (outcomes.pause(operation)) {
            return;
        }
        boolean drained = false;
        for (int i = 0; i < ATTEMPTS_PER_TURN && !drained; i++) {
            PooledBuffer buffer = freeBuffer();
            if (buffer == null) {
                outcomes.starve(operation);
                return;
            }
            long result = receive(operation, buffer);
            if (result > 0) {
                outcomes.report(operation, result, buffer.filled((int) result));
                drained = result < buffer.size();
            } else {
                outcomes.providedBuffers().giveBack(buffer);
                if (!Errno.EAGAIN.is(result)) {
                    outcomes.complete(operation, result);
                    return;
                }
                drained = true;
            }
        }
        await(operation, EventType.READ);
    }

    private long receive(EmulatedOperation operation, PooledBuffer buffer) {
        boolean called = false;
        try {
            long result = calls.receive(operation, buffer);
            called = true;
            return result;
        } finally {
            if (!called) {
                outcomes.providedBuffers().giveBack(buffer);
            }
        }
    }

    private PooledBuffer freeBuffer() {
        if (freeBuffers.isEmpty()) {
            outcomes.providedBuffers().grow();
        }
        return freeBuffers.poll();
    }

    void provide(PooledBuffer buffer) {
        // On top: what was used last is in the processor's cache.
        freeBuffers.push(buffer);
    }

    /** Goes on with the operations on files that threads have performed. */
    void takePerformed() {
        NativeOperation operation = files.takePerformed();
        while (operation != null) {
            NativeOperation next = operation.takeNextPerformed();
            try {
                takePerformed((EmulatedOperation) operation);
            } catch (RuntimeException | Error e) {
                outcomes.failed(operation, e);
            }
            operation = next;
        }
    }

    private void takePerformed(EmulatedOperation operation) {
        Throwable failure = operation.takePerformedFailure();
        if (failure == null) {
            performed(operation, operation.performedResult());
        } else {
            outcomes.failed(operation, failure);
        }
    }

    private void performed(EmulatedOperation operation, long result) {
        switch (operation.type()) {
            case TRANSMIT_FILE -> transmitted(operation, result);
            case OPEN -> outcomes.complete(operation, Math.min(result, 0),
                    result < 0 ? null : FileHandle.adopt(result, operation.path(), operation.openOptions()));
            default -> outcomes.attempted(operation, result);
        }
    }

    private void transmitted(EmulatedOperation operation, long result) {
        if (Errno.EAGAIN.is(result) && !operation.isCancelRequested()) {
            await(operation, EventType.WRITE);
        } else if (result < 0) {
            outcomes.complete(operation, Errno.EAGAIN.is(result) ? -Errno.ECANCELED.number() : result);
        } else {
            operation.moved(result);
            if (result == 0 || operation.done() == operation.amount()) {
                outcomes.complete(operation, operation.done());
            } else {
                outcomes.again(operation);
            }
        }
    }

    /**
     * Goes on with the operations that have waited for these handles.
     *
     * @throws IOException if the system refuses to change the set
     */
    void resume(ReadyHandles ready) throws IOException {
        try {
            for (int i = 0; i < ready.size(); i++) {
                if (ready.registration(i).isValid()) {
                    resume((EmulatedAssociation) ready.registration(i).attachment(), ready.events(i));
                }
            }
        } finally {
            // What has been taken must not be taken again if the next wait fails.
            ready.clear();
        }
    }

    private void resume(EmulatedAssociation association, int events) throws IOException {
        association.reported();
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
        int failure = resumed(association, events & ~expected);
        if (failure < 0) {
            failWaiting(association, failure);
        }
    }

    private int resumed(EmulatedAssociation association, int unexpected) throws IOException {
        try {
            return association.resumed(unexpected);
        } catch (RuntimeException | Error e) {
            outcomes.failed(e);
            return -Errno.EIO.number();
        }
    }

    private void failWaiting(EmulatedAssociation association, int failure) {
        NativeOperation operation = association.first();
        while (operation != null) {
            NativeOperation following = operation.following();
            if (operation instanceof EmulatedOperation waiting && waiting.awaited != 0) {
                association.endAwait(waiting);
                outcomes.complete(waiting, failure);
            }
            operation = following;
        }
    }

    /** {@return the events that it waited for and that may be waited for again} */
    private int resume(NativeOperation waiting, int events) {
        if (!(waiting instanceof EmulatedOperation operation) || (operation.awaited & events) == 0) {
            return 0;
        }
        int came = operation.awaited & events;
        association(operation).endAwait(operation);
        try {
            return goOn(operation, came) ? came : 0;
        } catch (RuntimeException | Error e) {
            // The other operations and handles are to go on.
            outcomes.failed(operation, e);
            return 0;
        }
    }

    /** {@return whether what came may be waited for again} */
    private boolean goOn(EmulatedOperation operation, int came) {
        switch (operation.type()) {
            case ACCEPT, ACCEPT_CONTINUOUSLY -> accept(operation);
            case RECEIVE_CONTINUOUSLY -> receiveContinuously(operation);
            case RECEIVE, RECEIVE_FROM -> move(operation, EventType.READ);
            case SEND, SEND_TO -> move(operation, EventType.WRITE);
            case CONNECT -> outcomes.complete(operation, calls.connected(operation));
            case POLL -> outcomes.complete(operation, came);
            case TRANSMIT_FILE -> {
                files.submit(operation);
                // Writable as long as the pool's thread has not filled it up again.
                return false;
            }
            default -> throw new IllegalStateException("waits for no event: " + operation);
        }
        return true;
    }

    /** Ends the threads for files. */
    @Override
    public void close() {
        files.close();
    }
}
