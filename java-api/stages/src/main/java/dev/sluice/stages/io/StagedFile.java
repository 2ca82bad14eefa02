package dev.sluice.stages.io;

import dev.sluice.handle.FileHandle;
import dev.sluice.proactor.AsyncFile;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventQueue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The paper's asyncFile: a file with a position, whose requests are performed by a {@link FileStage}, in the order in
 * which they were made. The completion of each is put into an application's queue; while that is full, the file is not
 * served. May be used by any thread; no method waits.
 */
public final class StagedFile {

    /** Maximum number of pending requests of a file, without the one that closes it. */
    public static final int MAX_PENDING_REQUESTS = 64;

    private final FileStage stage;
    private final Path path;
    final OpenOption[] options;
    /** Whether the handle is closed with this. */
    private final boolean owner;
    final FileServing serving;
    private volatile @Nullable FileHandle handle;

    // Accessed only by the thread that serves the file, or that completes a request

    @Nullable AsyncFile async;
    long position;
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
        serving = new FileServing(this, stage, Objects.requireNonNull(target, "target"));
        this.options = options.clone();
        owner = true;
        take();
        serving.add(new FileRequest(FileOperation.OPEN, null, 0, null));
    }

    /**
     * Uses a file that the caller has opened, such as a shared one. Requests can be made immediately; there is no
     * completion for opening it.
     *
     * @param stage the stage that performs the requests, by calls that wait for the disk
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
        serving = new FileServing(this, stage, Objects.requireNonNull(target, "target"));
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
     * @return {@link EnqueueResult#ACCEPTED}; {@link EnqueueResult#FULL} if {@value #MAX_PENDING_REQUESTS} requests are
     *         pending; {@link EnqueueResult#CLOSED}
     */
    public EnqueueResult read(ByteBuffer buffer, @Nullable Object token) {
        return serving.add(new FileRequest(FileOperation.READ, Objects.requireNonNull(buffer, "buffer"), 0, token));
    }

    /**
     * Writes all bytes of a buffer at the position, or at the end if the file was opened for appending, and advances
     * the position by their number.
     *
     * @param buffer the buffer to write from; belongs to the file until the completion
     * @param token passed with the completion; may be null
     * @return as {@link #read}
     */
    public EnqueueResult write(ByteBuffer buffer, @Nullable Object token) {
        return serving.add(new FileRequest(FileOperation.WRITE, Objects.requireNonNull(buffer, "buffer"), 0, token));
    }

    /**
     * Sets the position.
     *
     * @param newPosition in bytes, at least 0; may be beyond the end
     * @param token passed with the completion; may be null
     * @return as {@link #read}
     * @throws IllegalArgumentException if it is negative
     */
    public EnqueueResult seek(long newPosition, @Nullable Object token) {
        if (newPosition < 0) {
            throw new IllegalArgumentException("position: " + newPosition + " is negative");
        }
        return serving.add(new FileRequest(FileOperation.SEEK, null, newPosition, token));
    }

    /**
     * Requests the size.
     *
     * @param token passed with the completion; may be null
     * @return as {@link #read}
     */
    public EnqueueResult stat(@Nullable Object token) {
        return serving.add(new FileRequest(FileOperation.STAT, null, 0, token));
    }

    /**
     * Closes the file after all earlier requests. This request is never rejected because of too many others.
     *
     * @param token passed with the completion, the last one; may be null
     * @return {@link EnqueueResult#ACCEPTED}; {@link EnqueueResult#CLOSED} if this has been called before, or the graph
     *         was stopped
     */
    public EnqueueResult close(@Nullable Object token) {
        return serving.add(new FileRequest(FileOperation.CLOSE, null, 0, token));
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

    /** Moves the position when a request has succeeded. */
    void move(FileOperation operation, long result) {
        switch (operation) {
            case READ, WRITE -> position += Math.max(0, result);
            case SEEK -> position = result;
            default -> { }
        }
    }

    /** {@return the path} */
    @Override
    public String toString() {
        return path.toString();
    }
}
