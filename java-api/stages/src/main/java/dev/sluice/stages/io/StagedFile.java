package dev.sluice.stages.io;

import dev.sluice.failure.OutOfMemoryRetry;
import dev.sluice.failure.StackReserve;
import dev.sluice.handle.FileHandle;
import dev.sluice.hook.HookFailure;
import dev.sluice.proactor.AsyncFile;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.Outcome;
import dev.sluice.stages.Reservation;
import dev.sluice.stages.SpaceListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paper's asyncFile: a file with a position, whose requests are performed by a {@link FileStage}, in the order in
 * which they were made. The completion of each is put into an application's queue; while that is full, the file is not
 * served. May be used by any thread; no method waits.
 */
public final class StagedFile {

    /** Maximum number of pending requests of a file, without the one that closes it. */
    public static final int MAX_PENDING_REQUESTS = 64;

    private static final Logger LOG = LoggerFactory.getLogger(StagedFile.class);
    /**
     * Delay until a completion that an admission has rejected is offered again. In the meantime the stage's threads
     * serve other files.
     */
    private static final Executor AFTER_PAUSE =
            CompletableFuture.delayedExecutor(10, TimeUnit.MILLISECONDS, Runnable::run);

    private final FileStage stage;
    private final Path path;
    final OpenOption[] options;
    /** Whether the handle is closed with this. */
    private final boolean owner;
    private final EventQueue<? super FileCompletion> target;
    private final FileRequests requests = new FileRequests();
    private final AtomicReference<FileState> state = new AtomicReference<>(FileState.IDLE);
    private final SpaceListener notice = new SpaceListener() {
        @Override
        protected void spaceAvailable() {
            resume();
        }
    };
    private volatile @Nullable FileHandle handle;

    // Accessed only by the thread that serves the file, or that completes a request

    @Nullable AsyncFile async;
    long position;
    /** The request that is being served; null if there is none. */
    private @Nullable FileRequest current;
    private final OutOfMemoryRetry shortage = new OutOfMemoryRetry();
    /** A place in the stage's queue while a request is being performed. */
    private @Nullable Reservation<StagedFile> reservation;
    /** The completion that is delivered next; null if there is none. */
    private @Nullable FileCompletion pending;

    /**
     * Opens a file once the graph has been started. The first completion reports whether this has succeeded; if it has
     * not, the file is closed.
     *
     * @param stage the stage that performs the requests
     * @param path    the file
     * @param target the queue for the completion of each request
     * @param options as for {@link FileHandle#open}
     * @throws IOException if the maximum number of files is open
     */
    @SuppressWarnings("this-escape") // Fully constructed before it is signalled.
    public StagedFile(FileStage stage, Path path, EventQueue<? super FileCompletion> target, OpenOption... options)
            throws IOException {
        this.stage = stage;
        this.path = Objects.requireNonNull(path, "path");
        this.target = Objects.requireNonNull(target, "target");
        this.options = options.clone();
        owner = true;
        take();
        add(new FileRequest(FileOperation.OPEN, null, 0, null));
    }

    /**
     * Uses a file that the caller has opened, such as a shared one. Requests can be made immediately; there is no
     * completion for opening it.
     *
     * @param stage the stage that the stage that performs the requests, by calls that wait for the disk
     * @param path   its name, for messages
     * @param opened the file; must stay open until this is closed, which does not close it
     * @param target the queue for the completion of each request
     * @throws IOException              if the maximum number of files is open
     * @throws IllegalArgumentException if the stage is on a proactor, to which an open file may belong only once
     */
    public StagedFile(FileStage stage, Path path, FileHandle opened, EventQueue<? super FileCompletion> target)
            throws IOException {
        this.stage = stage;
        this.path = Objects.requireNonNull(path, "path");
        this.target = Objects.requireNonNull(target, "target");
        handle = Objects.requireNonNull(opened, "opened");
        options = new OpenOption[0];
        owner = false;
        if (stage.performer instanceof ProactorPerformer) {
            throw new IllegalArgumentException(stage + " is on a proactor, which cannot use a file that is open "
                    + "already");
        }
        take();
    }

    private void take() throws IOException {
        if (!stage.add(this)) {
            throw new IOException("cannot open " + path + ": " + stage.files() + " files are open in " + stage
                    + ", which is the maximum");
        }
    }

    /** {@return the file} */
    public Path path() {
        return path;
    }

    // Requests

    /**
     * Reads at the position, and advances it by the number of bytes read.
     *
     * @param buffer the buffer to read into, with space for at least one byte; belongs to the file until the completion
     * @param token passed with the completion; may be null
     * @return {@link Outcome#ACCEPTED}; {@link Outcome#FULL} if {@value #MAX_PENDING_REQUESTS} requests are pending;
     *         {@link Outcome#CLOSED}
     */
    public Outcome read(ByteBuffer buffer, @Nullable Object token) {
        return add(new FileRequest(FileOperation.READ, Objects.requireNonNull(buffer, "buffer"), 0, token));
    }

    /**
     * Writes all bytes of a buffer at the position, or at the end if the file was opened for appending, and advances
     * the position by their number.
     *
     * @param buffer the buffer to write from; belongs to the file until the completion
     * @param token passed with the completion; may be null
     * @return as {@link #read}
     */
    public Outcome write(ByteBuffer buffer, @Nullable Object token) {
        return add(new FileRequest(FileOperation.WRITE, Objects.requireNonNull(buffer, "buffer"), 0, token));
    }

    /**
     * Sets the position.
     *
     * @param newPosition in bytes, at least 0; may be beyond the end
     * @param token passed with the completion; may be null
     * @return as {@link #read}
     * @throws IllegalArgumentException if it is negative
     */
    public Outcome seek(long newPosition, @Nullable Object token) {
        if (newPosition < 0) {
            throw new IllegalArgumentException("position: " + newPosition + " is negative");
        }
        return add(new FileRequest(FileOperation.SEEK, null, newPosition, token));
    }

    /**
     * Requests the size.
     *
     * @param token passed with the completion; may be null
     * @return as {@link #read}
     */
    public Outcome stat(@Nullable Object token) {
        return add(new FileRequest(FileOperation.STAT, null, 0, token));
    }

    /**
     * Closes the file after all earlier requests. This request is never rejected because of too many others.
     *
     * @param token passed with the completion, the last one; may be null
     * @return {@link Outcome#ACCEPTED}; {@link Outcome#CLOSED} if this has been called before, or the graph was stopped
     */
    public Outcome close(@Nullable Object token) {
        return add(new FileRequest(FileOperation.CLOSE, null, 0, token));
    }

    private Outcome add(FileRequest request) {
        target.workStarted();
        Outcome outcome = requests.add(request);
        if (outcome == Outcome.ACCEPTED) {
            signal();
        } else {
            target.workFinished();
        }
        return outcome;
    }

    // Serving

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
            accepted = stage.queue().enqueue(this) == Outcome.ACCEPTED;
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
                pending = request.completion(this, result, !unperformed || operation == FileOperation.CLOSE ? cause
                        : new IOException(path + " was closed before " + operation));
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
        reservation = stage.queue().prepare(this);
        stage.performer.perform(this, request);
    }

    private void rest() {
        state.set(FileState.IDLE);
        // If the stage has ended in the meantime, the thread that ended it has left the rest to this one.
        if (requests.hasNext() || stage.queue().isClosed() && stage.remove(this)) {
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
        Outcome outcome = requests.isAtLast() ? deliverLast(completion) : target.enqueue(completion);
        // A completion that is rejected after the end of the stage is not offered again.
        if (outcome == Outcome.ACCEPTED || outcome == Outcome.CLOSED
                || outcome == Outcome.REFUSED && stage.queue().isClosed()) {
            endRequest();
            return true;
        }
        state.set(FileState.WAITING);
        if (outcome == Outcome.FULL) {
            target.notifyWhenHalfEmpty(notice);
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
    private Outcome deliverLast(FileCompletion completion) {
        try (Reservation<?> space = target.prepare(completion)) {
            if (space.outcome() == Outcome.ACCEPTED) {
                stage.remove(this);
                space.commit();
            }
            return space.outcome();
        }
    }

    private void endRequest() {
        pending = null;
        current = null;
        if (requests.end()) {
            stage.remove(this);
        }
        try {
            target.workFinished();
        } catch (Throwable e) {
            HookFailure.log(LOG, target, this, e);
        }
    }

    // Called by the performer

    /**
     * {@return the open file}
     *
     * @throws IOException if it is not open
     */
    FileHandle handle() throws IOException {
        FileHandle opened = handle;
        if (opened == null || !opened.handle().isOpen()) {
            throw (IOException) new IOException(path + " is not open").initCause(new ClosedChannelException());
        }
        return opened;
    }

    /** Closes the handle if this has opened it. */
    void closeHandle() {
        FileHandle opened = handle;
        if (owner && opened != null) {
            opened.close();
        }
    }

    void setHandle(FileHandle opened) {
        handle = opened;
    }

    /** Called once for each request, when it has completed or failed. */
    void ended(long result, @Nullable IOException cause) {
        complete(result, cause, false);
        assert current != null;
        FileOperation operation = current.operation();
        if (cause == null) {
            move(operation, result);
        }
        if (operation == FileOperation.CLOSE || operation == FileOperation.OPEN && cause != null) {
            requests.stopAccepting();
            closeHandle();
        }
        state.set(FileState.QUEUED);
        if (reservation != null && reservation.outcome() == Outcome.ACCEPTED) {
            reservation.commit();
        } else {
            enqueue();
        }
    }

    private void move(FileOperation operation, long result) {
        switch (operation) {
            case READ, WRITE -> position += Math.max(0, result);
            case SEEK -> position = result;
            default -> { }
        }
    }

    /** Called when serving has failed: a request could not be started, or its completion could not be delivered. */
    void fail(Throwable cause) {
        if (state.get() == FileState.PERFORMING) {
            pending = null;
            assert current != null;
            ended(0, new IOException(path + ": " + current.operation() + " has failed", cause));
        } else {
            if (current != null) {
                endRequest();
            }
            rest();
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
            closeHandle();
        } finally {
            signal();
            resume();
        }
    }

    /** Reports all pending requests as failed. Called by the thread that has queued the file. */
    private void abandon() {
        try {
            requests.stopAccepting();
            closeHandle();
            serve();
        } catch (RuntimeException | Error e) {
            HookFailure.log(LOG, target, this, e);
            fail(e);
        }
    }

    /** {@return the path} */
    @Override
    public String toString() {
        return path.toString();
    }
}
