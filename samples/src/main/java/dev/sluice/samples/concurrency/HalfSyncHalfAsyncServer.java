package dev.sluice.samples.concurrency;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.server.EventLoopThread;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The "half-sync/half-reactive" thread pool that the Leader/Followers paper compares itself with (section 2): a network
 * I/O thread, a bounded queue, and workers. When the queue is full the I/O thread waits.
 */
final class HalfSyncHalfAsyncServer implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(HalfSyncHalfAsyncServer.class);
    private static final int QUEUE = 1024;

    private final RequestHandler service;
    private final EventLoopThread<Reactor> io;
    private final HandleControl control;
    private final ThreadPoolExecutor workers;

    HalfSyncHalfAsyncServer(SocketAcceptor acceptor, RequestHandler service, String demultiplexer, int count)
            throws IOException {
        this.service = service;
        try {
            this.io = new EventLoopThread<>("half-async", Reactor.open(demultiplexer),
                    e -> LOG.error("the I/O thread has failed", e));
        } catch (Throwable e) {
            acceptor.close();
            throw e;
        }
        this.control = HandleControl.of(io.loop());
        this.workers = new ThreadPoolExecutor(count, count, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(QUEUE),
                task -> new Thread(task, "half-sync"), HalfSyncHalfAsyncServer::waitForRoom);
        try {
            io.loop().registerHandler(new SessionAcceptor(acceptor, this::open), EventType.ACCEPT);
        } catch (Throwable e) {
            acceptor.close();
            close();
            throw e;
        }
        io.start();
    }

    private static void waitForRoom(Runnable task, ThreadPoolExecutor executor) {
        try {
            executor.getQueue().put(task);
        } catch (InterruptedException e) {
            throw new RejectedExecutionException(e);
        }
    }

    private void open(SocketStream stream) throws IOException {
        control.register(new QueueingSession(stream, service, control, workers));
    }

    @Override
    public void close() {
        io.close();
        ExecutorEnd.await(workers);
    }
}
