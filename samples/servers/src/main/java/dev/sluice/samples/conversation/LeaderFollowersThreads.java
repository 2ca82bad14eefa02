package dev.sluice.samples.conversation;

import static java.util.stream.Collectors.joining;

import dev.sluice.connection.Acceptor;
import dev.sluice.connection.ListenOptions;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import dev.sluice.leaderfollowers.MultipleLeadersPool;
import dev.sluice.leaderfollowers.Promotion;
import dev.sluice.leaderfollowers.PromotionOrder;
import dev.sluice.leaderfollowers.ThreadRole;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.server.Connections;
import dev.sluice.samples.server.PoolThreads;
import dev.sluice.samples.server.ResizablePool;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A leader/followers pool with its threads: they take turns waiting for all connections, including new ones; the thread
 * that has found one ready serves it, while another thread waits. Where the {@link PoolLayout} has several handle sets,
 * these get the connections in turn, and the first one accepts.
 */
public final class LeaderFollowersThreads implements ConnectionThreads, ResizablePool {

    private final PoolDesign design;
    private final LeaderFollowersPools pools;
    private final Admission admission;
    private final Consumer<Throwable> failed;
    private final List<Thread> threads = new ArrayList<>();
    /** How many have ever been started. */
    private int started;

    /**
     * Creates the pool; {@link #resize} starts threads.
     *
     * @param design        of the pool
     * @param demultiplexer the name of the handle set
     * @param count         the number of threads
     * @param longestWait   the longest that conversations wait in the pool, by joining it; zero if they do not
     * @param failed        called with the failure of a thread, by the thread itself
     * @throws IllegalArgumentException if conversations wait in the pool, and its design has several handle sets
     * @throws IOException              if the system refuses the handle set
     */
    public LeaderFollowersThreads(PoolDesign design, String demultiplexer, int count, Duration longestWait,
                                  Consumer<Throwable> failed) throws IOException {
        if (!longestWait.isZero() && design.layout() != PoolLayout.ONE_HANDLE_SET) {
            throw new IllegalArgumentException("conversations cannot wait in a pool of layout " + design.layout());
        }
        this.design = design;
        this.failed = failed;
        pools = new LeaderFollowersPools(design, demultiplexer);
        admission = longestWait.isZero() ? Admission.FREE : new Nesting(pools.only(), count, longestWait);
        try {
            resize(count);
        } catch (Throwable e) {
            pools.close();
            throw e;
        }
    }

    @Override
    public String demultiplexer(String ofReactors) {
        return pools.handleSets().get(0).demultiplexer();
    }

    @Override
    public synchronized int threads() {
        return threads.size();
    }

    @Override
    public int busy() {
        return pools.threads(ThreadRole.PROCESSING).size();
    }

    /**
     * Changes the number of threads.
     *
     * @throws UnsupportedOperationException if there are threads already, and conversations wait in the pool: the
     *                                       maximum number of waiting ones was set when it was created
     */
    @Override
    public synchronized void resize(int count) {
        if (admission != Admission.FREE && !threads.isEmpty()) {
            throw new UnsupportedOperationException("conversations wait in " + pools.only());
        }
        int before = threads.size();
        try {
            while (threads.size() < count) {
                Thread thread = newThread(pools.of(threads.size()));
                thread.start();
                started++;
                threads.add(thread);
            }
        } catch (OutOfMemoryError e) {
            dismissAbove(before);
            throw e;
        }
        dismissAbove(count);
    }

    private Thread newThread(MultipleLeadersPool pool) {
        Thread thread = new Thread(() -> join(pool), "pool-" + started);
        thread.setDaemon(true);
        if (hasPriorities()) {
            // With equal priorities, the order would be that of waiting times. The normal priority and those below it
            // are assigned first, as any process may set these.
            thread.setPriority(Thread.MAX_PRIORITY - (started + Thread.NORM_PRIORITY) % Thread.MAX_PRIORITY);
        }
        return thread;
    }

    private boolean hasPriorities() {
        return design.order() == PromotionOrder.PRIORITY && admission == Admission.FREE;
    }

    private void dismissAbove(int count) {
        while (threads.size() > count) {
            dismiss(threads.remove(threads.size() - 1));
        }
    }

    private void dismiss(Thread thread) {
        // One that has only just been started is about to join.
        while (!pools.remove(thread) && thread.isAlive() && !pools.isClosed()) {
            Thread.yield();
        }
    }

    private void join(MultipleLeadersPool pool) {
        try {
            if (hasPriorities()) {
                PoolThreads.adoptPriority();
            }
            pool.join();
        } catch (IOException | RuntimeException | Error e) {
            failed.accept(e);
        }
    }

    /** {@return the pool; null if its layout has several handle sets} */
    public LeaderFollowersPool pool() {
        return pools.only();
    }

    @Override
    public void beginLongStep() {
        if (design.promotion() == Promotion.BY_HANDLER) {
            pools.promoteNewLeader();
        }
    }

    @Override
    public void accept(SocketAcceptor socket, List<Reactor> reactors, ListenOptions options,
                       ConversationFactory conversations, Function<Dispatcher, Connections> open) throws IOException {
        // The first reactor owns what belongs to a reactor, although it does not wait for these connections.
        Reactor reactor = reactors.get(0);
        Connections connections = open.apply(reactor);
        Acceptor.listen(pools.handleSets(), socket, options,
                () -> new PooledConnection((stream, handleSet) -> conversations.begin(stream, reactor),
                        handleSet -> connections, design.anyPromotion(), admission));
    }

    @Override
    public Consumer<SocketStream> take(Arrivals arrivals, List<Reactor> reactors, ConversationFactory conversations,
                       Function<Dispatcher, Connections> open) throws IOException {
        if (arrivals.socket() != null) {
            accept(arrivals.socket(), reactors, arrivals.options(), conversations, open);
        }
        Reactor reactor = reactors.get(0);
        Connections connections = open.apply(reactor);
        Acceptor acceptor = ServiceHandlers.closedAcceptor(pools.handleSets(),
                () -> new PooledConnection((stream, handleSet) -> conversations.begin(stream, reactor),
                        handleSet -> connections, design.anyPromotion(), admission));
        return stream -> ServiceHandlers.serve(acceptor, stream);
    }

    @Override
    public Map<String, Object> states(int connections) {
        Map<String, Object> states = new LinkedHashMap<>();
        states.put("pool_threads", threads());
        for (ThreadRole role : ThreadRole.values()) {
            List<Thread> threads = pools.threads(role);
            String key = "pool_" + role.name().toLowerCase(Locale.ROOT);
            states.put(key, threads.size());
            states.put(key + "_threads", threads.stream().map(Thread::getName).sorted().collect(joining(",")));
        }
        states.put("pool_postponed", admission.postponed());
        return states;
    }

    /** Waits until the threads have finished what they dispatch. */
    @Override
    public void close() {
        pools.close();
    }
}
