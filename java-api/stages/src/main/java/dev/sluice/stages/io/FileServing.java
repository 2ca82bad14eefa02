package dev.sluice.stages.io;

import dev.sluice.failure.OutOfMemoryRetry;
import dev.sluice.failure.StackReserve;
import dev.sluice.hook.HookFailure;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.Reservation;
import dev.sluice.stages.SpaceListener;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The service of one {@link StagedFile}: takes its requests one at a time, has each performed, and delivers its
 * completion before the next one begins. {@link FileState} has the states and their transitions.
 */
final class FileServing {

    private static final Logger LOG = LoggerFactory.getLogger(FileServing.class);
    /**
     * Delay until a completion that an admission has rejected is offered again. In the meantime the stage's threads
     * serve other files.
     */
    private static final Executor AFTER_PAUSE =
            CompletableFuture.delayedExecutor(10, TimeUnit.MILLISECONDS, Runnable::run);

    private final StagedFile file;
    private final FileStage stage;
    private final EventQueue<? super FileCompletion> target;
    private final FileRequests requests = new FileRequests();
    private final AtomicReference<FileState> state = new AtomicReference<>(FileState.IDLE);
    private final SpaceListener listener = new SpaceListener() {
        @Override
        protected void spaceAvailable() {
            resume();
        }
    };

    // Accessed only by the thread that serves the file, or that completes a request

    /** The request that is being served; null if there is none. */
    private @Nullable FileRequest current;
    private final OutOfMemoryRetry shortage = new OutOfMemoryRetry();
    /** A place in the stage's queue while a request is being performed. */
    private @Nullable Reservation<StagedFile> reservation;
    /** The completion that is delivered next; null if there is none. */
    private @Nullable FileCompletion pending;

    FileServing(StagedFile file, FileStage stage, EventQueue<? super FileCompletion> target) {
        this.file = file;
        this.stage = stage;
        this.target = target;
    }

    /**
     * Adds a request. Called by any thread.
     *
     * @return the result of {@link FileRequests#add}
     */
    EnqueueResult add(FileRequest request) {
        target.workStarted();
        EnqueueResult result = requests.add(request);
        if (result == EnqueueResult.ACCEPTED) {
            signal();
        } else {
            target.workFinished();
        }
        return result;
    }

    /** Requests that the file is served. Called by any thread. */
    private void signal() {
        queueFrom(FileState.IDLE);
    }

    /** Called by any thread when the pending completion may be offered again. */
    private void resume() {
        queueFrom(FileState.WAITING);
    }

    private void queueFrom(FileState expected) {
        if (state.compareAndSet(expected, FileState.QUEUED)) {
            enqueue();
        }
    }

    private void enqueue() {
        boolean accepted = false;
        boolean settled = false;
        try {
            accepted = stage.queue().enqueue(file) == EnqueueResult.ACCEPTED;
            if (!accepted) {
                StackReserve.requireForClose();
            }
            settled = true;
        } finally {
            if (!settled) {
                // Otherwise the next signal, such as that of a stop that continues, would be ignored.
                state.set(FileState.IDLE);
            }
        }
        if (!accepted) {
            abandon();
        }
    }

    /** Delivers a completion, and begins the next request. Called by the stage, by one thread at a time. */
    void serve() {
        while (pending == null || deliver()) {
            if (current == null) {
                current = requests.take();
            }
            if (current == null) {
                rest();
                return;
            }
            if (!stage.queue().isClosed()) {
                perform(current);
                return;
            }
            complete(0, null, true);
        }
    }

    /** Creates the completion of the current request. Waits for memory if there is none, as no other thread would. */
    private void complete(long result, @Nullable IOException cause, boolean unperformed) {
        FileRequest request = current;
        assert request != null;
        FileOperation operation = request.operation();
        while (pending == null) {
            try {
                pending = request.completion(file, result, !unperformed || operation == FileOperation.CLOSE ? cause
                        : new IOException(file.path() + " was closed before " + operation));
            } catch (OutOfMemoryError e) {
                shortage.pauseBeforeRetry(e);
            }
        }
        shortage.end();
    }

    private void perform(FileRequest request) {
        reservation = null;
        state.set(FileState.PERFORMING);
        // Reserved before the request can complete, so that there is a place for it, and the graph does not count as
        // idle.
        reservation = stage.queue().prepare(file);
        stage.performer.perform(file, request);
    }

    private void rest() {
        state.set(FileState.IDLE);
        // If the stage has ended in the meantime, the thread that ended it has left the rest to this one.
        if (requests.hasNext() || stage.queue().isClosed() && stage.remove(file)) {
            signal();
        }
    }

    /**
     * Delivers the pending completion.
     *
     * @return whether to continue; otherwise another thread may serve the file already
     */
    private boolean deliver() {
        FileCompletion completion = pending;
        assert completion != null;
        EnqueueResult result = requests.isAtLast() ? deliverLast(completion) : target.enqueue(completion);
        // A completion that is rejected after the end of the stage is not offered again.
        if (result == EnqueueResult.ACCEPTED || result == EnqueueResult.CLOSED
                || result == EnqueueResult.REJECTED && stage.queue().isClosed()) {
            endRequest();
            return true;
        }
        state.set(FileState.WAITING);
        if (result == EnqueueResult.FULL) {
            target.notifyWhenHalfEmpty(listener);
        } else {
            AFTER_PAUSE.execute(this::resume);
        }
        return false;
    }

    /**
     * Delivers the last completion. The place of the file is released before, so that the handler of the completion can
     * open another file; but not before there is space for the completion, or an unlimited number of completions could
     * wait.
     */
    private EnqueueResult deliverLast(FileCompletion completion) {
        try (Reservation<?> space = target.prepare(completion)) {
            if (space.result() == EnqueueResult.ACCEPTED) {
                stage.remove(file);
                space.commit();
            }
            return space.result();
        }
    }

    private void endRequest() {
        pending = null;
        current = null;
        if (requests.end()) {
            stage.remove(file);
        }
        try {
            target.workFinished();
        } catch (Throwable e) {
            HookFailure.log(LOG, target, file, e);
        }
    }

    // Called by the performer and the stage

    /** Called once for each request, when it has completed or failed. */
    void ended(long result, @Nullable IOException cause) {
        complete(result, cause, false);
        assert current != null;
        FileOperation operation = current.operation();
        if (cause == null) {
            file.move(operation, result);
        }
        if (operation == FileOperation.CLOSE || operation == FileOperation.OPEN && cause != null) {
            requests.stopAccepting();
            file.closeHandle();
        }
        state.set(FileState.QUEUED);
        if (reservation != null && reservation.result() == EnqueueResult.ACCEPTED) {
            reservation.commit();
        } else {
            enqueue();
        }
    }

    /** Called when serving has failed: a request could not be started, or its completion could not be delivered. */
    void fail(Throwable cause) {
        if (state.get() == FileState.PERFORMING) {
            pending = null;
            ended(0, failure(cause));
        } else {
            if (current != null) {
                endRequest();
            }
            rest();
        }
    }

    /** Creates the failure of the current request. Waits for memory, as {@link #complete} does. */
    private IOException failure(Throwable cause) {
        assert current != null;
        FileOperation operation = current.operation();
        while (true) {
            try {
                return new IOException(file.path() + ": " + operation + " has failed", cause);
            } catch (OutOfMemoryError e) {
                shortage.pauseBeforeRetry(e);
            }
        }
    }

    /** Called when the stage has ended and has removed this file from its queue without serving it. */
    void discarded() {
        state.set(FileState.IDLE);
        endOfStage();
    }

    /**
     * Called by any thread when the stage has ended. A request that is being performed completes first. If this throws
     * for lack of memory or stack, it is called again.
     */
    void endOfStage() {
        StackReserve.requireForClose();
        requests.stopAccepting();
        try {
            file.closeHandle();
        } finally {
            signal();
            resume();
        }
    }

    /** Reports all pending requests as failed. Called by the thread that has queued the file. */
    private void abandon() {
        try {
            requests.stopAccepting();
            file.closeHandle();
            serve();
        } catch (RuntimeException | Error e) {
            HookFailure.log(LOG, target, file, e);
            fail(e);
        }
    }
}
