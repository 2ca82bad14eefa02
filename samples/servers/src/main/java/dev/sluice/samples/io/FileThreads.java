package dev.sluice.samples.io;

import java.io.Closeable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A few threads that wait for the file system, so that event loops do not. A connection waits for one message at a
 * time, so no more of them are queued than there are connections.
 */
public final class FileThreads implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(FileThreads.class);

    /** Maximum number of threads. If a file system does not answer, this many requests for it delay all others. */
    private static final int THREADS = 8;
    private static final int IDLE_SECONDS = 10;
    /** Time for the last work at the close. */
    private static final int PATIENCE_SECONDS = 5;

    private final ThreadPoolExecutor threads;
    /** Whether the system has refused a thread, which is logged once. */
    private final AtomicBoolean refused = new AtomicBoolean();

    /** Starts no thread yet. */
    public FileThreads() {
        this(FileThreads::newThread);
    }

    /** Starts no thread yet; the factory makes them. */
    FileThreads(ThreadFactory factory) {
        threads = new ThreadPoolExecutor(THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
                factory);
        threads.allowCoreThreadTimeOut(true);
    }

    private static Thread newThread(Runnable work) {
        Thread thread = new Thread(work, "files");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Runs work on one of the threads; on the calling one after the close, or if the system refuses a thread: the
     * connection waits for it in any case.
     *
     * @param work the work
     */
    public void run(Runnable work) {
        try {
            threads.execute(work);
        } catch (RejectedExecutionException e) {
            LOG.debug("work after the end: {}", e.toString());
            work.run();
        } catch (OutOfMemoryError e) {
            if (!refused.getAndSet(true)) {
                LOG.warn("threads that serve connections wait for the file system: {}", e.toString());
            }
            work.run();
        }
    }

    /** Lets the threads finish what they have begun, for some seconds. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("{} threads still wait for the file system", threads.getActiveCount());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
