package dev.sluice.stages;

import dev.sluice.deadline.Timeout;
import dev.sluice.failure.CloseLock;
import dev.sluice.failure.StackReserve;
import dev.sluice.hook.HookFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An application as a network of stages (3.3). Stages are added, then the graph is started, and in the end it is
 * stopped, once each. One thread of the graph steps all controllers.
 *
 * <p>Looking at a graph takes no lock, at any time, in any thread. Changing it is for one thread at a time, and must
 * not be done by handlers, apart from looking up queues.
 */
public final class StageGraph implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StageGraph.class);

    /** How long closing waits for what was accepted: 5 seconds. */
    public static final Duration CLOSE_DEADLINE = Duration.ofSeconds(5);

    private final String name;
    private final List<Stage<?>> stages = new CopyOnWriteArrayList<>();
    private final List<Edge<?>> edges = new CopyOnWriteArrayList<>();
    private final Map<String, Stage<?>> byName = new ConcurrentHashMap<>();
    /** Held while hooks are called that begin and end the graph. */
    private final CloseLock lock = new CloseLock(this);
    /** Those whose handlers have been started, or were about to be. */
    private final List<Stage<?>> begun = new ArrayList<>();
    private ControlThread control;
    private GraphStop stopping;
    private volatile StopReport report;

    /**
     * Makes an empty graph.
     *
     * @param name for its threads
     */
    public StageGraph(String name) {
        this.name = Objects.requireNonNull(name, "name");
        HookFailure.prepare();
    }

    // Making it

    /**
     * Adds a stage with a queue for 1024 events and one thread of its own.
     *
     * @param stageName the only one of this name
     * @param type      of its events
     * @param handler   its logic
     * @param <E>       its events
     * @return the stage
     * @throws IllegalArgumentException if there is a stage of this name
     * @throws IllegalStateException    if the graph has been started
     */
    public <E> Stage<E> add(String stageName, Class<E> type, StageHandler<E> handler) {
        return add(stageName, type, handler, new StageOptions<>());
    }

    /**
     * Adds a stage.
     *
     * @param stageName the only one of this name
     * @param type      of its events
     * @param handler   its logic
     * @param options   how it is to be
     * @param <E>       its events
     * @return the stage
     * @throws IllegalArgumentException if there is a stage of this name, if the threshold is above the capacity, or if
     *                                  the handler keeps less than no events
     * @throws IllegalStateException    if the graph has been started
     */
    public <E> Stage<E> add(String stageName, Class<E> type, StageHandler<E> handler, StageOptions<E> options) {
        lock.lock();
        try {
            if (control != null || report != null) {
                throw new IllegalStateException("cannot add " + stageName + ": " + this + " has been started");
            }
            if (find(stageName) != null) {
                throw new IllegalArgumentException("there are two stages named " + stageName + " in " + this);
            }
            Stage<E> stage = new Stage<>(this, stageName, type, handler, options);
            stages.add(stage);
            byName.put(stageName, stage);
            addEdge(stage.outside);
            return stage;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Starts it: calls {@link StageHandler#handleStart} of all stages, in the order in which they were added, and then
     * runs them. Events that were enqueued before are handled now.
     *
     * @throws IllegalStateException if it has been started before, or if a stage cannot start; then that one and those
     *                               before it are stopped, with {@link StageHandler#handleStop}, and the cause is what
     *                               it has thrown
     */
    public void start() {
        lock.lock();
        try {
            if (control != null || report != null) {
                throw new IllegalStateException(this + " has been started before");
            }
            control = new ControlThread(name, stages);
            try {
                for (Stage<?> stage : stages) {
                    begun.add(stage);
                    stage.handler.handleStart(new StageContext(stage));
                }
                stages.forEach(stage -> stage.execution.start());
                control.start();
            } catch (Throwable e) {
                IllegalStateException failure = new IllegalStateException(begun.get(begun.size() - 1) + " of " + this
                        + " cannot start", e);
                try {
                    report = stopped(System.nanoTime());
                } catch (Throwable shortage) {
                    // A stop continues.
                    failure.addSuppressed(shortage);
                }
                throw failure;
            }
        } finally {
            lock.unlock();
        }
    }

    // Looking

    /** {@return its stages, in the order in which they were added} */
    public List<Stage<?>> stages() {
        return List.copyOf(stages);
    }

    /** {@return the accounts of its stages, in the order in which they were added} */
    public List<StageAccount> accounts() {
        return stages.stream().map(stage -> StageAccount.of(stage, 0)).toList();
    }

    /** {@return the accounts of its edges, in the order in which they were made; those from outside come first} */
    public List<EdgeAccount> edgeAccounts() {
        return edges.stream().map(EdgeAccount::of).toList();
    }

    /**
     * Puts a proxy stage between two stages, instead of one that may be there. It costs an object for each event.
     *
     * @param from the name of a stage that has looked up the other; null for the outside
     * @param to   the name of that stage
     * @param kept how many events it keeps, at least 1
     * @return the proxy; closing it takes it out again
     * @throws IllegalArgumentException if the one does not lead to the other
     */
    public ProxyStage<?> interpose(String from, String to, int kept) {
        for (Edge<?> edge : edges) {
            if (edge.target.name().equals(to) && Objects.equals(edge.sourceName(), from)) {
                return edge.interpose(Ranges.between("kept", kept, 1, EventRing.MAX_CAPACITY));
            }
        }
        throw new IllegalArgumentException(from + " does not lead to " + to + " in " + this);
    }

    private void addEdge(Edge<?> edge) {
        edges.add(edge);
        edge.target.edgesTo.add(edge);
        if (edge.source != null) {
            edge.source.edgesFrom.add(edge);
        }
    }

    /** {@return the edge between two stages, which is a new one if there was none} */
    @SuppressWarnings("unchecked") // The edge leads to this stage.
    <T> Edge<T> edge(Stage<?> source, Stage<T> target) {
        if (target.graph != this) {
            throw new IllegalArgumentException(target + " belongs to " + target.graph + ", and not to " + this);
        }
        synchronized (edges) {
            for (Edge<?> edge : source.edgesFrom) {
                if (edge.target == target) {
                    return (Edge<T>) edge;
                }
            }
            if (source.isDirect() && target.isDirect() && StageSearch.isDirectPath(target, source)) {
                throw new IllegalArgumentException("direct stages would call each other in a circle: " + source
                        + " -> " + target + " -> " + source + "; one of them must not be direct");
            }
            Edge<T> edge = new Edge<>(source, target, EventRing.ALL);
            addEdge(edge);
            return edge;
        }
    }

    Stage<?> find(String stageName) {
        return stageName == null ? null : byName.get(stageName);
    }

    // The end

    /**
     * Waits until everything that was accepted, or {@linkplain EventQueue#workStarted() announced}, has been handled,
     * everywhere at the same moment. Nothing is closed, so events from outside may prevent it.
     *
     * @param timeout maximum time to wait
     * @return whether that has happened
     * @throws IllegalArgumentException if the timeout is negative
     * @throws InterruptedException     if the thread is interrupted while it waits
     */
    public boolean drain(Duration timeout) throws InterruptedException {
        return GraphStop.awaitIdle(stages, System.nanoTime() + Timeout.nanos("timeout", timeout));
    }

    /**
     * Stops it. At once nothing is accepted from outside any more. Then the stages are drained and ended in the order
     * of the edges, those that lead to each other together, each followed by its {@link StageHandler#handleStop}. A
     * stage whose queue {@linkplain EventQueue#workStarted() expects} an event is not ended before that has come. When
     * the time is over, threads that are still inside a handler are interrupted, and what waits is discarded; half a
     * second later they are no longer waited for. An interrupt of the caller ends the waiting in the same way, and is
     * kept.
     *
     * <p>A handler must not call this: it would be waited for. Stopping again returns the same report; but if this has
     * thrown an {@link OutOfMemoryError} or a {@link StackOverflowError}, stopping again continues where it failed.
     *
     * <p>{@link System#exit} does not return, so a handler that calls it is still inside when a shutdown hook stops the
     * graph: the stop waits for the deadline, and no longer.
     *
     * @param deadline how long to wait for what was accepted
     * @return the accounts of its stages, and how many events were discarded
     * @throws IllegalArgumentException if the deadline is negative
     * @throws IllegalStateException    if the virtual machine shuts down, and a thread that starts or stops the graph,
     *                                  or that of its controllers, has called {@link System#exit}: it never returns.
     *                                  The message names the thread.
     */
    public StopReport stop(Duration deadline) {
        long end = System.nanoTime() + Timeout.nanos("deadline", deadline);
        StackReserve.requireForWait();
        StopReport stopped;
        lock.lock();
        try {
            if (report == null) {
                // One that was never started handles nothing, however long one waits.
                report = stopped(control == null ? System.nanoTime() : end);
            }
            stopped = report;
        } finally {
            lock.unlock();
        }
        // Not under the lock: a controller may be waiting for it, to stop the graph.
        endControl();
        return stopped;
    }

    /** Stops the stages; continues a stop that had no memory. */
    private StopReport stopped(long end) {
        if (stopping == null) {
            stopping = new GraphStop(StageSearch.groups(stages), begun);
        }
        return stopping.run(end);
    }

    private void endControl() {
        if (control == null) {
            return;
        }
        try {
            control.end(this);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops it with {@link #CLOSE_DEADLINE}, and logs a warning if events were lost. */
    @Override
    public void close() {
        boolean first = report == null;
        StopReport ended = stop(CLOSE_DEADLINE);
        if (!first || ended.isDrained()) {
            return;
        }
        if (control == null) {
            LOG.warn("{} was closed and had never been started: {}", this, ended);
        } else {
            LOG.warn("{} was not drained within {}: {}", this, CLOSE_DEADLINE, ended);
        }
    }

    /** {@return its name} */
    @Override
    public String toString() {
        return name;
    }
}
