package dev.sluice.files;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.eventloop.LoopBuilder;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.proactor.Proactor;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes the batches of any number of threads, on a proactor that a platform thread of its own runs. On io_uring the
 * kernel executes the operations, and one submission starts those of all batches that are waiting. Elsewhere a pool of
 * threads executes what the system does not; {@link dev.sluice.proactor.AsyncFile} has a table.
 *
 * <p>All methods may be called by any thread, except that the thread of the loop must not call those that wait.
 */
public final class FileLoop implements Closeable {

    /** Default number of operations that may be in flight on a file. */
    public static final int DEFAULT_IN_FLIGHT = 128;

    private static final Logger LOG = LoggerFactory.getLogger(FileLoop.class);
    private static final long CLOSE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    final Proactor proactor;
    private final Thread thread;
    /** Closes the proactor; allocated in advance, because there may be no memory when it is used. */
    private final Runnable closing;

    private FileLoop(Proactor proactor) {
        this.proactor = proactor;
        this.closing = proactor::close;
        this.thread = new Thread(this::run, "sluice-files");
        thread.setDaemon(true);
    }

    /**
     * Opens a loop on the best demultiplexer of this system, and starts its thread.
     *
     * @return the loop; the caller closes it
     * @throws IOException if the system refuses
     */
    @CheckReturnValue
    public static FileLoop open() throws IOException {
        return open(Proactor.builder());
    }

    /**
     * Opens a loop and starts its thread.
     *
     * @param builder opens the proactor
     * @return the loop; the caller closes it
     * @throws IOException if the system refuses
     */
    @CheckReturnValue
    public static FileLoop open(LoopBuilder<Proactor> builder) throws IOException {
        Proactor proactor = builder.open();
        try {
            FileLoop loop = new FileLoop(proactor);
            loop.thread.start();
            return loop;
        } catch (Throwable e) {
            proactor.close();
            throw e;
        }
    }

    private void run() {
        // Some systems tie operations to the thread that starts them, so this one also closes the loop.
        try (proactor) {
            proactor.run();
        } catch (IOException | RuntimeException | Error e) {
            LOG.error("{} has failed and executes no more batches; open another one", this, e);
        } finally {
            closeRepeatedly(closing);
        }
    }

    /**
     * Closes the proactor, and tries again for as long as there is no memory for that. One that is not closed accepts
     * batches, and without its thread they would never complete.
     *
     * @param close closes it, unless it is closed
     */
    static void closeRepeatedly(Runnable close) {
        boolean closed = false;
        while (!closed) {
            try {
                close.run();
                closed = true;
            } catch (OutOfMemoryError e) {
                LockSupport.parkNanos(CLOSE_PAUSE_NANOS);
            }
        }
    }

    /** {@return the name of the demultiplexer, such as {@code io_uring}} */
    public String demultiplexer() {
        return proactor.demultiplexer();
    }

    /**
     * Opens a file, waiting for the system, and adds it with {@link #DEFAULT_IN_FLIGHT}.
     *
     * @param path    the file
     * @param options as for {@link FileHandle#open}
     * @return the file; the caller closes it
     * @throws IOException if it cannot be opened, or the loop is closed
     */
    @CheckReturnValue
    public LoopFile openFile(Path path, OpenOption... options) throws IOException {
        FileHandle file = FileHandle.open(path, options);
        try {
            return add(file, DEFAULT_IN_FLIGHT);
        } catch (Throwable e) {
            file.close();
            throw e;
        }
    }

    /**
     * Lets batches use a file.
     *
     * @param file        the file, which may be used by other means as well; it belongs to the result, whose close
     *                    closes it, unless this throws
     * @param maxInFlight the number of operations that may be in flight on the file at once, at least 1; more wait
     * @return the file for batches
     * @throws IllegalArgumentException if the number is less than 1
     * @throws IllegalStateException    if the file has been added to this loop before
     * @throws IOException              if the file or the loop is closed
     */
    @CheckReturnValue
    public LoopFile add(FileHandle file, int maxInFlight) throws IOException {
        if (maxInFlight < 1) {
            throw new IllegalArgumentException("maxInFlight: " + maxInFlight);
        }
        return new LoopFile(this, file, maxInFlight);
    }

    /**
     * Registers the remaining bytes of a buffer with the system, if it can; see {@link Proactor#registerBuffer}.
     * Batches whose buffers lie within these bytes are then executed with less work.
     *
     * @param buffer a direct buffer with bytes remaining
     * @return the registration, which closing it ends, or the close of the loop
     * @throws IllegalArgumentException as for {@link Proactor#registerBuffer}
     */
    @CheckReturnValue
    public Closeable registerBuffer(ByteBuffer buffer) {
        return proactor.registerBuffer(buffer);
    }

    /** {@return the number of bytes that the system has registered; always 0 except on io_uring} */
    public long registeredBytes() {
        return proactor.registeredBytes();
    }

    /**
     * Runs a task on the thread of the loop.
     *
     * @return false if the loop is closed
     */
    boolean execute(Runnable task) {
        try {
            proactor.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            LOG.debug("{} is closed", this, e);
            return false;
        }
    }

    boolean isLoopThread() {
        return Thread.currentThread() == thread;
    }

    HandleClosedException closedException() {
        return new HandleClosedException(toString());
    }

    /**
     * Ends the loop, and waits until its thread has ended. Operations in flight are cancelled: their batches complete,
     * with an error for each of them. The files stay open. Closing again does nothing.
     */
    @Override
    public void close() {
        proactor.stop();
        boolean interrupted = false;
        while (thread.isAlive() && !isLoopThread()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@return the name of the demultiplexer} */
    @Override
    public String toString() {
        return "file loop on " + demultiplexer();
    }
}
