package dev.sluice.samples.conversation;

import dev.sluice.connection.Acceptor;
import dev.sluice.connection.ListenOptions;
import dev.sluice.handle.ErrorScope;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.SystemCallException;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.server.Connections;
import dev.sluice.samples.server.ResizablePool;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread pool of the JAWS paper: each thread accepts a connection, serves it to its end, and then accepts the next
 * one. So each thread serves one connection at a time, even an idle one, and all others wait in the backlog.
 */
public final class ThreadPool implements ConnectionThreads, ResizablePool {

    private static final Logger LOG = LoggerFactory.getLogger(ThreadPool.class);
    /** Time that a thread waits for a connection before it checks whether there are too many threads. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);
    /** Pause if the system cannot accept now, as in an Acceptor. */
    private static final long PAUSE_MILLIS = 100;

    private final Consumer<Throwable> failed;
    private final ExecutorService threads;
    private final Set<PoolThreadConnection> running = ConcurrentHashMap.newKeySet();
    /** Null if connections are given. */
    private SocketAcceptor socket;
    /** Connections that have been given and wait for a thread; null if threads accept. */
    private BlockingQueue<SocketStream> waiting;
    /** Takes connections that wait for a thread; null as long as none is to leave. */
    private volatile Consumer<SocketStream> next;
    private Runnable service;
    /** Whether accepting has failed since the last connection, and that has been logged. */
    private final AtomicBoolean pausedByShortage = new AtomicBoolean();
    private int count;
    /** Number of threads that serve a connection or are about to. */
    private int serving;

    /**
     * Creates the pool.
     *
     * @param count  the number of threads
     * @param failed called with the failure of a thread, by the thread itself
     */
    public ThreadPool(int count, Consumer<Throwable> failed) {
        this.count = count;
        this.failed = failed;
        this.threads = DaemonThreads.oneForEach("pool");
    }

    /** The reactor accepts: a thread that waits in the kernel for a client sees no connection that is given. */
    @Override
    public synchronized Consumer<SocketStream> take(Arrivals arrivals, List<Reactor> reactors,
            ConversationFactory conversations, Function<Dispatcher, Connections> open) throws IOException {
        waiting = new LinkedBlockingQueue<>();
        if (arrivals.socket() != null) {
            Acceptor.listen(reactors, arrivals.socket(), arrivals.options(), () -> new PassedConnection(this::enqueue));
        }
        begin(reactors, conversations, open);
        return this::enqueue;
    }

    private void enqueue(SocketStream stream) {
        waiting.add(stream);
        moveWaiting();
    }

    @Override
    public void move(Consumer<SocketStream> taker) {
        next = taker;
        moveWaiting();
    }

    private void moveWaiting() {
        Consumer<SocketStream> taker = next;
        if (taker == null || waiting == null) {
            return;
        }
        for (SocketStream each = waiting.poll(); each != null; each = waiting.poll()) {
            taker.accept(each);
        }
    }

    @Override
    public synchronized void accept(SocketAcceptor listening, List<Reactor> reactors, ListenOptions options,
                       ConversationFactory conversations, Function<Dispatcher, Connections> open) throws IOException {
        if (!listening.handle().isOpen()) {
            throw new HandleClosedException(listening.handle());
        }
        socket = listening;
        begin(reactors, conversations, open);
    }

    @Override
    public int waiting() {
        return waiting == null ? 0 : waiting.size();
    }

    private void begin(List<Reactor> reactors, ConversationFactory conversations,
            Function<Dispatcher, Connections> open) {
        Reactor reactor = reactors.get(0);
        Connections connections = open.apply(reactor);
        service = () -> run(stream -> conversations.begin(stream, reactor), connections);
        fill();
    }

    private void fill() {
        while (service != null && serving < count) {
            threads.execute(service);
            serving++;
        }
    }

    @Override
    public synchronized int threads() {
        return count;
    }

    /** {@return the number of threads that serve a connection, even an idle one} */
    @Override
    public int busy() {
        return running.size();
    }

    @Override
    public boolean isHeldByClients() {
        return true;
    }

    @Override
    public synchronized void resize(int number) {
        int before = count;
        count = number;
        try {
            fill();
        } catch (OutOfMemoryError e) {
            // Threads that have been started end again, as they are surplus.
            count = before;
            throw e;
        }
    }

    /**
     * Returns whether the calling thread is surplus and has to end. All are once connections are to leave, since those
     * that wait for a thread do that at once.
     */
    private synchronized boolean leaves() {
        boolean surplus = serving > count || next != null;
        if (surplus) {
            serving--;
        }
        return surplus;
    }

    /** Begins a conversation on a connection. */
    @FunctionalInterface
    private interface Beginning {
        Conversation of(SocketStream stream) throws IOException;
    }

    private void run(Beginning beginning, Connections connections) {
        try {
            while (!leaves()) {
                SocketStream stream = accept();
                if (stream != null) {
                    serve(stream, beginning, connections);
                }
            }
        } catch (HandleClosedException | InterruptedException e) {
            LOG.debug("stopped accepting", e);
        } catch (IOException | RuntimeException | Error e) {
            failed.accept(e);
        }
    }

    /** {@return a connection, null if none arrived, or the system had no resources for it} */
    private SocketStream accept() throws IOException, InterruptedException {
        if (waiting != null) {
            return waiting.poll(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        }
        try {
            SocketStream stream = socket.accept(LONGEST_WAIT);
            if (pausedByShortage.get()) {
                pausedByShortage.set(false);
            }
            return stream;
        } catch (SocketTimeoutException e) {
            return null;
        } catch (SystemCallException e) {
            if (ErrorScope.ofAccept(e) == ErrorScope.SOCKET) {
                throw e;
            }
            if (!pausedByShortage.getAndSet(true)) {
                LOG.warn("accepting is paused: {}", e.getMessage());
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            return null;
        }
    }

    /** Serves a connection. A failure affects only this connection; the thread accepts the next one. */
    private void serve(SocketStream stream, Beginning beginning, Connections connections) {
        boolean moves = false;
        try {
            PoolThreadConnection connection = new PoolThreadConnection(stream, beginning.of(stream));
            running.add(connection);
            connections.add(connection);
            try {
                moves = connection.converse();
            } finally {
                connection.close();
                connections.remove(connection);
                running.remove(connection);
            }
        } catch (Throwable e) {
            Failures.log(stream, e);
        }
        if (moves) {
            connections.handOn(stream);
        } else {
            stream.close();
        }
    }

    @Override
    public Map<String, Object> states(int connections) {
        return Map.of("pool_threads", threads());
    }

    /** Threads that wait for a connection to be given leave when their wait is over. */
    private synchronized void endWaiting() {
        count = 0;
        if (waiting != null) {
            waiting.forEach(SocketStream::close);
        }
    }

    @Override
    public void close() {
        if (socket != null) {
            socket.close();
        }
        endWaiting();
        running.forEach(PoolThreadConnection::cut);
        DaemonThreads.end(threads);
    }
}
