package dev.sluice.samples.server;

import dev.sluice.eventloop.EventLoop;
import dev.sluice.handle.SocketStream;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One or more event loops with their threads, from their start to their orderly stop.
 *
 * @param <L> reactors or proactors
 */
public final class EventLoopServer<L extends EventLoop> implements ResizablePool, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EventLoopServer.class);

    /**
     * How a loop is opened.
     *
     * @param <L> a reactor or a proactor
     */
    @FunctionalInterface
    public interface Opener<L> {

        /**
         * Opens one.
         *
         * @return the loop
         * @throws IOException if the system refuses
         */
        L open() throws IOException;
    }

    private final StopRequest stop;
    private final String name;
    private final List<L> loops = new ArrayList<>();
    private final List<LoopThread> threads = new ArrayList<>();
    /** How many of the threads are to stay. */
    private int wanted;
    /** How many of the threads have not been told to leave. */
    private int activeThreads;
    private int made;
    /** Whether the threads have been started. */
    private boolean serving;
    private final List<Connections> connections = new ArrayList<>();

    /**
     * Opens the loops; nothing runs yet.
     *
     * @param name   of the server
     * @param count  the number of threads, at least 1
     * @param opener called for each
     * @param stop   ends the server, as do other threads that it cannot do without if they fail
     * @throws IOException if the system refuses
     */
    public EventLoopServer(String name, int count, Opener<L> opener, StopRequest stop) throws IOException {
        this(name, count, 1, opener, stop);
    }

    /**
     * Opens loops that several threads run each; nothing runs yet.
     *
     * @param name   of the server
     * @param count  the number of loops, at least 1
     * @param shared the number of threads that run each, at least 1
     * @param opener called for each
     * @param stop   told by other threads that it cannot do without if they fail
     * @throws IOException if the system refuses
     */
    public EventLoopServer(String name, int count, int shared, Opener<L> opener, StopRequest stop)
            throws IOException {
        this.stop = stop;
        this.name = name;
        this.wanted = count * shared;
        try {
            for (int i = 0; i < count; i++) {
                L loop = opener.open();
                loops.add(loop);
                connections.add(new Connections());
                for (int j = 0; j < shared; j++) {
                    add(newThread(loop));
                }
            }
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    /** A thread that runs a loop until it is stopped, or the loop is closed or fails. */
    private final class LoopThread {

        private final L loop;
        private final Thread thread;

        LoopThread(String name, L loop) {
            this.loop = loop;
            this.thread = new Thread(this::run, name);
        }

        private void run() {
            try {
                loop.run();
                threadLeft();
            } catch (IOException | RuntimeException | Error e) {
                stop.fail(e);
            }
        }

        boolean isCurrent() {
            return thread == Thread.currentThread();
        }

        void start() {
            thread.start();
        }

        void close() {
            loop.close();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private LoopThread newThread(L loop) {
        LoopThread thread = new LoopThread(name + "-" + made, loop);
        made++;
        return thread;
    }

    private void add(LoopThread thread) {
        threads.add(thread);
        activeThreads++;
    }

    @Override
    public synchronized int threads() {
        return wanted;
    }

    /** {@return the number of its threads that are not waiting; events that no thread has taken are not counted} */
    @Override
    public int busy() {
        return loops.stream().mapToInt(EventLoop::dispatchingThreads).sum();
    }

    /**
     * Changes the number of threads that run the loop, which must be multi-threaded.
     *
     * @throws UnsupportedOperationException if there are several loops
     */
    @Override
    public void resize(int count) {
        if (loops.size() != 1) {
            throw new UnsupportedOperationException("each thread has a loop of its own");
        }
        try {
            grow(count);
        } finally {
            retireNext();
        }
    }

    private synchronized void grow(int count) {
        int before = wanted;
        wanted = count;
        try {
            while (activeThreads < wanted) {
                LoopThread thread = newThread(loops.get(0));
                if (serving) {
                    thread.start();
                }
                add(thread);
            }
        } catch (OutOfMemoryError e) {
            wanted = before;
            throw e;
        }
    }

    /** Ends a surplus thread, if there is one: one at a time, as one of them may run all tasks. */
    private void retireNext() {
        synchronized (this) {
            if (activeThreads <= wanted || !loops.get(0).isOpen()) {
                return;
            }
        }
        try {
            loops.get(0).execute(this::leaveIfSurplus);
        } catch (RejectedExecutionException e) {
            LOG.debug("all threads leave, as the server stops", e);
        }
    }

    private synchronized void leaveIfSurplus() {
        if (activeThreads > wanted) {
            activeThreads--;
            loops.get(0).leave();
        }
    }

    private void threadLeft() {
        synchronized (this) {
            threads.removeIf(LoopThread::isCurrent);
        }
        if (loops.size() == 1) {
            retireNext();
        }
    }

    /** {@return the loops, the first of which accepts} */
    public List<L> loops() {
        return List.copyOf(loops);
    }

    /**
     * The open connections of a loop.
     *
     * @param loop one of {@link #loops()}
     * @return its connections
     */
    public Connections connections(Executor loop) {
        return connections.get(loops.indexOf(loop));
    }

    /** {@return the number of connections open in all loops} */
    public int connectionCount() {
        int count = 0;
        for (Connections each : connections) {
            count += each.count();
        }
        return count;
    }

    /**
     * Starts the threads and serves until the process is asked to stop; then stops accepting, and gives the connections
     * their {@linkplain StopRequest#grace() time} to finish, unless that is cut short.
     *
     * @param listening what takes in new work, closed first
     * @param ready     run when the server accepts
     * @throws IOException          if a loop failed
     * @throws InterruptedException if the thread is interrupted
     */
    public void serve(List<? extends Closeable> listening, Runnable ready) throws IOException, InterruptedException {
        synchronized (this) {
            serving = true;
            threads.forEach(LoopThread::start);
        }
        stop.listen(loops.get(0));
        ready.run();
        stop.await();
        for (Closeable socket : listening) {
            socket.close();
        }
        if (stop.failure() != null) {
            throw new IOException("an event loop failed: " + stop.failure(), stop.failure());
        }
        finishConnections();
    }

    /**
     * Asks all connections to leave at their next request boundary, as far as they can.
     *
     * @param next takes those that do; called by any thread
     */
    public void move(Consumer<SocketStream> next) {
        for (int i = 0; i < loops.size(); i++) {
            Connections all = connections.get(i);
            loops.get(i).execute(() -> all.move(next));
        }
    }

    private void finishConnections() throws InterruptedException {
        for (int i = 0; i < loops.size(); i++) {
            loops.get(i).execute(connections.get(i)::finish);
        }
        stop.whenCutShort(() -> connections.forEach(each -> each.finished().countDown()));
        long deadline = System.nanoTime() + stop.grace().toNanos();
        boolean all = true;
        for (Connections each : connections) {
            all &= each.finished().await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
        if (!all) {
            LOG.warn("closing connections that did not finish within {} s", OptionValues.inSeconds(stop.grace()));
        }
    }

    @Override
    public void close() {
        List<LoopThread> all;
        synchronized (this) {
            all = List.copyOf(threads);
        }
        all.forEach(LoopThread::close);
    }
}
