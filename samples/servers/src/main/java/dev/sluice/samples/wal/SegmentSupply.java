package dev.sluice.samples.wal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Creates the next segment ahead, on a thread of its own: filling one with zeros takes longer than an append may wait.
 */
final class SegmentSupply implements Closeable {

    private final LogDirectory directory;
    private final Runnable ready;
    private final Thread thread;
    /** The header of the next segment to create; used by the thread. */
    private SegmentHeader next;

    // Guarded by this
    private boolean wanted;
    private Path created;
    private Throwable failure;
    private boolean closed;

    /**
     * Starts the thread, which creates no segment until that is {@linkplain #prepare requested}.
     *
     * @param directory the directory of the log
     * @param first     the header of the first segment to create
     * @param ready     called by the thread when a segment can be taken, or creating one has failed
     * @param start     starts the thread
     */
    SegmentSupply(LogDirectory directory, SegmentHeader first, Runnable ready, Consumer<Thread> start) {
        this.directory = directory;
        this.next = first;
        this.ready = ready;
        this.thread = new Thread(this::run, "wal-segments");
        thread.setDaemon(true);
        start.accept(thread);
    }

    private void run() {
        try {
            while (awaitRequest()) {
                offer(directory.create(next), null);
                next = next.next();
                ready.run();
            }
        } catch (IOException | RuntimeException | Error e) {
            offer(null, e);
            ready.run();
        }
    }

    private synchronized boolean awaitRequest() {
        while (!wanted && !closed) {
            try {
                wait();
            } catch (InterruptedException e) {
                // Only the close ends this thread. No other code has access to it.
            }
        }
        return !closed;
    }

    private synchronized void offer(Path segment, Throwable cause) {
        created = segment;
        failure = cause;
        wanted = false;
    }

    /** Requests the next segment, unless it is there. */
    synchronized void prepare() {
        if (created == null) {
            wanted = true;
            notifyAll();
        }
    }

    /**
     * Takes the next segment, or has it created.
     *
     * @return the segment; null if it is not ready
     * @throws IOException if it could not be created
     */
    synchronized Path take() throws IOException {
        if (failure != null) {
            throw new IOException("no further segment: " + failure.getMessage(), failure);
        }
        prepare();
        Path taken = created;
        created = null;
        return taken;
    }

    /** Waits until the thread has ended. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        awaitEnd(thread);
    }

    /** Waits until a thread has ended. An interrupt does not end the wait. */
    static void awaitEnd(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
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
}
