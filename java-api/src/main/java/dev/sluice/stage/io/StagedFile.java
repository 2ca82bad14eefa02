package dev.sluice.stage.io;

import dev.sluice.handle.FileHandle;
import dev.sluice.hook.HookFailure;
import dev.sluice.proactor.AsyncFile;
import dev.sluice.stage.EventQueue;
import dev.sluice.stage.Outcome;
import dev.sluice.stage.Preparation;
import dev.sluice.stage.RoomNotice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paper's asyncFile: a file with a position, whose requests are performed by a {@link FileStage}, in the order in
 * which they were made. What comes of each is put into an application's queue; while there is no room for it, the file
 * is not served. May be used by any thread; no method waits.
 */
public final class StagedFile {

    /** The most requests that a file can have, without the one that closes it. */
    public static final int MOST_REQUESTS = 64;

    private static final Logger LOG = LoggerFactory.getLogger(StagedFile.class);

    private final FileStage stage;
    private final Path path;
    private final OpenOption[] options;
    /** Whether the handle is closed with this. */
    private final boolean owner;
    private final EventQueue<? super FileCompletion> target;
    private final Queue<FileRequest> requests = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pending = new AtomicInteger();
    private final AtomicBoolean closing = new AtomicBoolean();
    /** Whether the stage has ended. */
    private volatile boolean stageEnded;
    /** Whether it is in the stage's queue, is being served, or something is being performed. */
    private final AtomicBoolean busy = new AtomicBoolean();
    private final RoomNotice notice = new RoomNotice() {
        @Override
        protected void roomAgain() {
            signal();
        }
    };

    // Of whoever has made it busy, and of the hook that ends what is being performed

    private volatile FileHandle handle;
    private AsyncFile async;
    private long position;
    private FileRequest current;
    /** Whether it has been closed, or could not be opened: only what was asked for before is to be told of. */
    private boolean closed;
    /** Has a place in the stage's queue while something is being performed. */
    private Preparation<StagedFile> place;
    /** What has to be told next. */
    private FileCompletion held;
    /** Whether it will be told after a pause. */
    private final AtomicBoolean postponed = new AtomicBoolean();

    /**
     * Begins to open a file, once the graph has been started. Its first completion says whether it is open; if it is
     * not, the file is closed.
     *
     * @param stage   performs the requests
     * @param path    the file
     * @param target  for what comes of each request
     * @param options as for {@link FileHandle#open}
     * @throws IOException if as many files are open as there may be
     */
    @SuppressWarnings("this-escape") // It is complete before it is signalled.
    public StagedFile(FileStage stage, Path path, EventQueue<? super FileCompletion> target, OpenOption... options)
            throws IOException {
        this.stage = stage;
        this.path = Objects.requireNonNull(path, "path");
        this.target = Objects.requireNonNull(target, "target");
        this.options = options.clone();
        owner = true;
        take();
        target.workStarted();
        pending.incrementAndGet();
        requests.add(new FileRequest(FileOperation.OPEN, null, 0, null));
        signal();
    }

    /**
     * Takes a file that somebody has opened, such as one that others read as well. Requests can be made at once; there
     * is no completion for opening it.
     *
     * @param stage  performs the requests, by calls that wait for the disk
     * @param path   its name, for messages
     * @param opened the file; stays open when this is closed, and until then
     * @param target for what comes of each request
     * @throws IOException              if as many files are open as there may be
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
        if (!stage.takesOpenFiles()) {
            throw new IllegalArgumentException(stage + " is on a proactor, and takes no file that is open already");
        }
        take();
    }

    private void take() throws IOException {
        if (!stage.add(this)) {
            throw new IOException("cannot open " + path + ": " + stage.files() + " files are open in " + stage
                    + ", the most there may be");
        }
    }

    /** {@return the file} */
    public Path path() {
        return path;
    }

    // Requests

    /**
     * Reads from the position on, and moves it behind what was read.
     *
     * @param buffer takes the bytes, with room for at least one; belongs to the file until the completion
     * @param token  for the completion; may be null
     * @return {@link Outcome#ACCEPTED}; {@link Outcome#FULL} if there are too many requests; {@link Outcome#CLOSED}
     */
    public Outcome read(ByteBuffer buffer, Object token) {
        return add(new FileRequest(FileOperation.READ, Objects.requireNonNull(buffer, "buffer"), 0, token));
    }

    /**
     * Writes all bytes from the position on, or at the end if the file was opened for appending, and moves the position
     * by as much.
     *
     * @param buffer has the bytes; belongs to the file until the completion
     * @param token  for the completion; may be null
     * @return as {@link #read}
     */
    public Outcome write(ByteBuffer buffer, Object token) {
        return add(new FileRequest(FileOperation.WRITE, Objects.requireNonNull(buffer, "buffer"), 0, token));
    }

    /**
     * Moves the position.
     *
     * @param newPosition in bytes, at least 0; may be beyond the end
     * @param token       for the completion; may be null
     * @return as {@link #read}
     * @throws IllegalArgumentException if it is negative
     */
    public Outcome seek(long newPosition, Object token) {
        if (newPosition < 0) {
            throw new IllegalArgumentException("position: " + newPosition + " is negative");
        }
        return add(new FileRequest(FileOperation.SEEK, null, newPosition, token));
    }

    /**
     * Asks for the size.
     *
     * @param token for the completion; may be null
     * @return as {@link #read}
     */
    public Outcome stat(Object token) {
        return add(new FileRequest(FileOperation.STAT, null, 0, token));
    }

    /**
     * Closes it, after what was asked for before. This always finds room.
     *
     * @param token for the completion, the last one; may be null
     * @return {@link Outcome#ACCEPTED}; {@link Outcome#CLOSED} if this has been called before, or the graph was stopped
     */
    public Outcome close(Object token) {
        if (!closing.compareAndSet(false, true)) {
            return Outcome.CLOSED;
        }
        target.workStarted();
        pending.incrementAndGet();
        requests.add(new FileRequest(FileOperation.CLOSE, null, 0, token));
        signal();
        return Outcome.ACCEPTED;
    }

    private Outcome add(FileRequest request) {
        target.workStarted();
        Outcome outcome = count();
        if (outcome == Outcome.ACCEPTED) {
            requests.add(request);
            signal();
        } else {
            target.workFinished();
        }
        return outcome;
    }

    /** {@return whether there may be another request; then it is counted} */
    private Outcome count() {
        int before;
        do {
            before = pending.get();
            if (closing.get()) {
                return Outcome.CLOSED;
            }
            if (before >= MOST_REQUESTS) {
                return Outcome.FULL;
            }
        } while (!pending.compareAndSet(before, before + 1));
        return Outcome.ACCEPTED;
    }

    // Serving

    /** There is something to do. Called by any thread. */
    void signal() {
        if (busy.compareAndSet(false, true) && stage.queue().enqueue(this) != Outcome.ACCEPTED) {
            abandon();
        }
    }

    /** Tells what has come of a request, and begins the next one. Called by the stage, by one thread at a time. */
    void serve() {
        if (held != null && !deliver()) {
            return;
        }
        FileRequest next = requests.poll();
        if (next == null) {
            rest();
            return;
        }
        current = next;
        // Reserved before it can end, so that there is room for that, and the graph is not at rest.
        Preparation<StagedFile> prepared = stage.queue().prepare(this);
        place = prepared.outcome() == Outcome.ACCEPTED ? prepared : null;
        stage.performer().perform(this, next);
    }

    private void rest() {
        busy.set(false);
        // If the stage has ended meanwhile, whoever said so has left the rest to this.
        if (!requests.isEmpty() || stageEnded) {
            signal();
        }
    }

    /** {@return whether to go on} Otherwise another thread may serve it already. */
    private boolean deliver() {
        boolean last = closed && pending.get() == 1;
        return settle(last ? offerLast() : target.enqueue(held));
    }

    /**
     * Whoever gets the last completion finds that there may be another file. It may not before there is room for this
     * one's completion, or any number of them could wait for that.
     */
    private Outcome offerLast() {
        try (Preparation<?> room = target.prepare(held)) {
            if (room.outcome() == Outcome.ACCEPTED) {
                stage.remove(this);
                room.commit();
            }
            return room.outcome();
        }
    }

    private boolean settle(Outcome outcome) {
        // Whoever is refused at the end has nobody who would offer it again.
        if (outcome == Outcome.ACCEPTED || outcome == Outcome.CLOSED || outcome == Outcome.REFUSED && stageEnded) {
            endRequest();
            return true;
        }
        busy.set(false);
        if (outcome == Outcome.FULL) {
            target.tellWhenHalfEmpty(notice);
        } else if (postponed.compareAndSet(false, true)) {
            stage.performer().postpone(this);
        }
        return false;
    }

    private void endRequest() {
        held = null;
        if (pending.decrementAndGet() == 0 && closed) {
            stage.remove(this);
        }
        try {
            target.workFinished();
        } catch (Throwable e) {
            HookFailure.log(LOG, target, this, e);
        }
    }

    /** Offers again what was refused. */
    void endPause() {
        postponed.set(false);
        signal();
    }

    // For who performs

    OpenOption[] options() {
        return options;
    }

    long position() {
        return position;
    }

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

    /** Closes what it has opened. */
    void closeHandle() {
        FileHandle opened = handle;
        if (owner && opened != null) {
            opened.close();
        }
    }

    void setHandle(FileHandle opened) {
        handle = opened;
    }

    AsyncFile async() {
        return async;
    }

    void setAsync(AsyncFile opened) {
        async = opened;
    }

    /** What was asked for is done, or has failed. Called once for each request. */
    void ended(long result, IOException cause) {
        FileRequest request = current;
        if (cause == null) {
            move(request, result);
        }
        if (request.operation() == FileOperation.CLOSE || request.operation() == FileOperation.OPEN && cause != null) {
            closing.set(true);
            closed = true;
            closeHandle();
        }
        held = request.completion(this, result, cause);
        Preparation<StagedFile> prepared = place;
        if (prepared != null) {
            prepared.commit();
        } else {
            abandon();
        }
    }

    private void move(FileRequest request, long result) {
        switch (request.operation()) {
            case READ, WRITE -> position += Math.max(0, result);
            case SEEK -> position = result;
            default -> { }
        }
    }

    /** Serving has failed. */
    void fail(Throwable cause) {
        if (held == null && current != null) {
            ended(0, new IOException(path + ": " + current.operation() + " has failed", cause));
        } else {
            // It could not be told.
            endRequest();
            rest();
        }
    }

    /** The stage has ended. Called by any thread. */
    void endOfStage() {
        stageEnded = true;
        closing.set(true);
        closeHandle();
        // What is being performed comes to its end first.
        signal();
    }

    /** Nothing is served any more: tells of what was asked for. Called by whoever has made it busy. */
    void abandon() {
        stageEnded = true;
        closed = true;
        closing.set(true);
        closeHandle();
        if (held != null && !deliver()) {
            return;
        }
        for (FileRequest next = requests.poll(); next != null; next = requests.poll()) {
            held = next.completion(this, 0, next.operation() == FileOperation.CLOSE ? null
                    : new IOException(path + " was closed before " + next.operation()));
            if (!deliver()) {
                return;
            }
        }
        stage.remove(this);
        busy.set(false);
        if (!requests.isEmpty()) {
            signal();
        }
    }

    /** {@return the path} */
    @Override
    public String toString() {
        return path.toString();
    }
}
