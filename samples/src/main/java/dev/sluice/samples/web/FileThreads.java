package dev.sluice.samples.web;

import dev.sluice.samples.web.protocol.Status;
import java.io.Closeable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the replies that may have to wait for the file system, in a few threads, so that no event loop waits for it.
 * What is in memory is answered by the loop itself. A connection waits for one reply at a time, so no more of them are
 * queued than there are connections.
 */
final class FileThreads implements Responder, Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(FileThreads.class);

    /** So many disks' worth of waiting; a network file system that does not answer holds up no more. */
    private static final int THREADS = 8;
    private static final int IDLE_SECONDS = 10;
    /** How long the last replies may take. */
    private static final int PATIENCE_SECONDS = 5;

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(), FileThreads::newThread);

    FileThreads() {
        threads.allowCoreThreadTimeOut(true);
    }

    private static Thread newThread(Runnable work) {
        Thread thread = new Thread(work, "web-files");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public boolean takes(Exchange exchange) {
        return exchange.pipeline().mayWait(exchange.request());
    }

    @Override
    public void respond(Exchange exchange) {
        run(() -> make(exchange));
    }

    @Override
    public boolean stores() {
        return true;
    }

    @Override
    public void store(Exchange exchange) {
        run(() -> {
            try {
                exchange.request().storeContent();
            } catch (RuntimeException | Error e) {
                LOG.error("content is not stored", e);
            } finally {
                exchange.made();
            }
        });
    }

    private void run(Runnable work) {
        try {
            threads.execute(work);
        } catch (RejectedExecutionException e) {
            LOG.debug("work after the end: {}", e.toString());
            work.run();
        }
    }

    private static void make(Exchange exchange) {
        try {
            exchange.pipeline().respond(exchange.request(), exchange.reply());
        } catch (RuntimeException | Error e) {
            LOG.error("a reply has failed", e);
            exchange.pipeline().refuse(Status.SERVICE_UNAVAILABLE, exchange.request(), exchange.reply());
        } finally {
            exchange.made();
        }
    }

    /** Lets the threads finish what they have begun, for some seconds. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("the file system does not answer; {} replies are given up", threads.getActiveCount());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
