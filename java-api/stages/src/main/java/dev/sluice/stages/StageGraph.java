package dev.sluice.stages;

import dev.sluice.deadline.Timeout;
import dev.sluice.failure.CloseLock;
import dev.sluice.failure.Failures;
import dev.sluice.failure.StackReserve;
import dev.sluice.hook.HookFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An application as a network of stages (3.3). It is started once, and finally stopped once. Before it is started and
 * while it runs, stages may be added, replaced and removed, and edges moved. One thread of the graph runs all
 * controllers.
 *
 * <p>Any thread may inspect a graph at any time, without a lock. Only one thread at a time may change it, so a change
 * that waits for a stage to be drained delays a stop. Handlers must not change it, apart from looking up queues.
 */
public final class StageGraph implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StageGraph.class);

    /** Maximum time that {@link #close()} waits for accepted events: 5 seconds. */
    public static final Duration CLOSE_DEADLINE = Duration.ofSeconds(5);

    private final String name;
    /** Sees all stages; null if there is none. */
    final @Nullable GraphController controller;
    /** Includes stages that are being removed. */
    private final List<Stage<?>> stages = new CopyOnWriteArrayList<>();
    private final List<Edge<?>> edges = new CopyOnWriteArrayList<>();
    private final Map<String, Stage<?>> byName = new ConcurrentHashMap<>();
    /** Held while the hooks that begin and end the graph are called. */
    private final CloseLock lock = new CloseLock(this);
    /** The stages whose handlers have been started, or were about to be. */
    private final List<Stage<?>> begun = new ArrayList<>();
    private @Nullable ControlThread control;
    private @Nullable GraphStop stopping;
    private volatile @Nullable StopReport report;

    /**
     * Creates an empty graph.
     *
     * @param name the name, from which the names of its threads are made
     */
    public StageGraph(String name) {
        this(name, null);
    }

    /**
     * Creates an empty graph with a controller that sees all of its stages, whose events are timed.
     *
     * @param name       the name, from which the names of its threads are made
     * @param controller belongs to the graph; null for none
     */
    public StageGraph(String name, @Nullable GraphController controller) {
        this.controller = controller;
        this.name = Objects.requireNonNull(name, "name");
        HookFailure.prepare();
    }

    // Making it

    /**
     * Adds a stage with a queue for 1024 events and one thread of its own.
     *
     * @param stageName its name, unique in the graph
     * @param type the type of its events
     * @param handler its handler
     * @param <E> the type of its events
     * @return the stage
     * @throws IllegalArgumentException if there is a stage of this name
     * @throws IllegalStateException    if the graph has been stopped, or if the stage cannot start
     */
    public <E> Stage<E> add(String stageName, Class<E> type, StageHandler<E> handler) {
        return add(stageName, type, handler, new StageOptions<>());
    }

    /**
     * Adds a stage. If the graph runs, the stage starts at once; handlers that were started before find it when they
     * look it up afterwards.
     *
     * @param stageName its name, unique in the graph
     * @param type the type of its events
     * @param handler its handler
     * @param options its settings
     * @param <E> the type of its events
     * @return the stage
     * @throws IllegalArgumentException if there is a stage of this name, if the threshold is above the capacity, or if
     *                                  the handler's number of retained events is negative
     * @throws IllegalStateException    if the graph has been stopped, or if the stage cannot start; then it is not
     *                                  added, and the cause is the exception of the stage
     */
    public <E> Stage<E> add(String stageName, Class<E> type, StageHandler<E> handler, StageOptions<E> options) {
        lock.lock();
        try {
            requireNotStopped("add " + stageName);
            if (find(stageName) != null) {
                throw new IllegalArgumentException("there are two stages named " + stageName + " in " + this);
            }
            Stage<E> stage = new Stage<>(this, stageName, type, handler, options, null);
            begin(stage);
            try {
                synchronized (edges) {
                    addEdge(stage.outside);
                    stages.add(stage);
                    byName.put(stageName, stage);
                }
            } catch (Throwable e) {
                discard(stage, e);
                throw e;
            }
            return stage;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Replaces a stage by another one of the same name. All edges to the old stage are moved to the new one, including
     * the edges from outside and the queues that handlers have looked up, so no event is rejected. The old stage
     * handles the events that it has accepted, and is then {@linkplain #remove removed}; if it is not drained in time,
     * a warning is logged. If this throws an {@link OutOfMemoryError} or a {@link StackOverflowError} when the new
     * stage is already among the {@linkplain #stages stages}, removing the old one continues where it failed.
     *
     * @param old the stage to replace
     * @param handler the handler of the new stage
     * @param options the settings of the new stage
     * @param deadline maximum time to wait until the old stage is drained
     * @param <E> the type of the events of both
     * @return the new stage
     * @throws IllegalArgumentException if the stage is not in this graph, if the deadline is negative, or if direct
     *                                  stages would call each other in a cycle
     * @throws IllegalStateException    if the graph has been stopped, the old stage has been removed, or the new one
     *                                  cannot start; then the old one stays, and the cause is the exception of the new
     *                                  one
     */
    public <E> Stage<E> replace(Stage<E> old, StageHandler<E> handler, StageOptions<E> options, Duration deadline) {
        long end = System.nanoTime() + Timeout.nanos("deadline", deadline);
        StackReserve.requireForWait();
        lock.lock();
        try {
            requireNotStopped("replace " + old);
            requireMember(old);
            Edge<E> outside = old.outside.target() == old ? old.outside : null;
            Stage<E> stage = new Stage<>(this, old.name(), old.type(), handler, options, outside);
            begin(stage);
            try {
                synchronized (edges) {
                    List<Edge<E>> moved = edgesFromOthers(old);
                    moved.forEach(edge -> requireNoCircle(edge.source, stage));
                    if (outside == null) {
                        addEdge(stage.outside);
                    }
                    GraphStop removal = new GraphStop(List.of(List.of(old)), begun);
                    old.removal = removal;
                    stages.add(stages.indexOf(old) + 1, stage);
                    // Both belong to the graph from here on, whatever fails.
                    byName.put(stage.name(), stage);
                    moved.forEach(edge -> moveEdge(edge, stage));
                }
            } catch (Throwable e) {
                if (!stages.contains(stage)) {
                    old.removal = null;
                    discard(stage, e);
                }
                throw e;
            }
            StopReport ended = finish(old, end);
            if (!ended.isDrained()) {
                LOG.warn("{} was replaced and not drained within {}: {}", old, deadline, ended);
            }
            return stage;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Removes a stage. Its queue is closed at once, except for events that the stage enqueues itself or that have been
     * {@linkplain EventQueue#workStarted() announced}; other handlers that have looked up the queue get {@link
     * Outcome#CLOSED}, unless their edges have been {@linkplain #moveEdge moved} before. The stage handles the events
     * that it has accepted, and then {@link StageHandler#handleStop} is called. At the deadline, it is ended as by
     * {@link #stop}. If this throws an {@link OutOfMemoryError} or a {@link StackOverflowError}, calling it again
     * continues where it failed.
     *
     * @param stage the stage to remove
     * @param deadline maximum time to wait until the stage is drained
     * @return its account, and the number of discarded events
     * @throws IllegalArgumentException if the stage is not in this graph, or if the deadline is negative
     * @throws IllegalStateException    if the graph has been stopped, or the stage has been removed or replaced before
     */
    public StopReport remove(Stage<?> stage, Duration deadline) {
        long end = System.nanoTime() + Timeout.nanos("deadline", deadline);
        StackReserve.requireForWait();
        lock.lock();
        try {
            requireNotStopped("remove " + stage);
            boolean continued = stage.removal != null && stages.contains(stage);
            if (!continued) {
                requireMember(stage);
            }
            synchronized (edges) {
                if (!continued) {
                    stage.removal = new GraphStop(List.of(List.of(stage)), begun);
                }
                // Repeated if that was continued: it may have failed anywhere. The stage that replaces it has its name.
                edgesFromOthers(stage).forEach(Edge::detach);
                byName.remove(stage.name(), stage);
            }
            return finish(stage, end);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Moves an edge: events that the source enqueues with the queue that it has looked up are enqueued at the new
     * target from now on. Events that were enqueued before stay where they are.
     *
     * @param source the source of the edge; null for the outside, that is for {@link Stage#queue()} of the target
     * @param target the present target of the edge
     * @param newTarget the new target
     * @param <E> the type of the events
     * @throws IllegalArgumentException if there is no such edge, if one of the stages is not in this graph, or if
     *                                  direct stages would call each other in a cycle
     * @throws IllegalStateException    if the graph has been stopped, or one of the stages has been removed
     */
    public <E> void moveEdge(@Nullable Stage<?> source, Stage<E> target, Stage<E> newTarget) {
        lock.lock();
        try {
            requireNotStopped("move an edge of " + target);
            requireMember(newTarget);
            synchronized (edges) {
                List<Edge<E>> moved = edgesFromOthers(target).stream().filter(edge -> edge.source == source).toList();
                if (moved.isEmpty()) {
                    throw new IllegalArgumentException(source + " does not lead to " + target + " in " + this);
                }
                requireNoCircle(source, newTarget);
                moved.forEach(edge -> moveEdge(edge, newTarget));
            }
        } finally {
            lock.unlock();
        }
    }

    private void requireNotStopped(String change) {
        if (report != null || stopping != null) {
            throw new IllegalStateException("cannot " + change + ": " + this + " has been stopped");
        }
    }

    private void requireMember(Stage<?> stage) {
        if (stage.graph != this) {
            throw new IllegalArgumentException(stage + " belongs to " + stage.graph + ", not to " + this);
        }
        if (stage.removal != null) {
            throw new IllegalStateException(stage + " has already been removed from " + this);
        }
    }

    /** Starts a stage to which no edge leads yet, if the graph runs. */
    private void begin(Stage<?> stage) {
        if (control == null) {
            return;
        }
        begun.add(stage);
        try {
            stage.handler.handleStart(new StageContext(stage));
            stage.controlled.begin(System.nanoTime());
            stage.execution.start();
        } catch (Throwable e) {
            IllegalStateException failure = new IllegalStateException(stage + " of " + this + " cannot start", e);
            discard(stage, failure);
            throw failure;
        }
    }

    /** Ends a stage to which no edge leads yet, because of a failure that the caller throws. */
    private void discard(Stage<?> stage, Throwable failure) {
        try {
            stage.removal = new GraphStop(List.of(List.of(stage)), begun);
            finish(stage, System.nanoTime());
        } catch (Throwable shortage) {
            Failures.and(failure, shortage);
        }
    }

    /** Ends a stage that is being removed, and then forgets it. */
    private StopReport finish(Stage<?> stage, long end) {
        // A stage that was never started handles no events, so waiting is useless.
        GraphStop removal = stage.removal;
        assert removal != null;
        StopReport ended = removal.run(control == null ? System.nanoTime() : end);
        synchronized (edges) {
            stage.forgotten = true;
            // An event that it has announced to another stage may still come from a thread that it has asked for it.
            stages.forEach(other -> other.edgesTo.removeIf(
                    edge -> edge.source != null && edge.source.forgotten && edge.announced() == 0));
            stage.edgesTo.stream().filter(edge -> edge.source != null)
                    .forEach(edge -> edge.source.edgesFrom.remove(edge));
            edges.removeAll(stage.edgesFrom);
            edges.removeAll(stage.edgesTo);
            stages.remove(stage);
            begun.remove(stage);
        }
        return ended;
    }

    /** {@return the edges to a stage, except the one from the stage to itself} */
    @SuppressWarnings("unchecked")
    private static <E> List<Edge<E>> edgesFromOthers(Stage<E> stage) {
        return stage.edgesTo.stream().filter(edge -> edge.source != stage).map(edge -> (Edge<E>) edge).toList();
    }

    private static <E> void moveEdge(Edge<E> edge, Stage<E> target) {
        Stage<E> before = edge.target();
        // Add first, so that work announced on the edge is visible at any time.
        target.edgesTo.add(edge);
        edge.move(target);
        before.edgesTo.remove(edge);
    }

    private static void requireNoCircle(@Nullable Stage<?> source, Stage<?> target) {
        if (source != null && source.isDirect() && target.isDirect() && StageSearch.isDirectPath(target, source)) {
            throw new IllegalArgumentException("direct stages would call each other in a cycle: " + source
                    + " -> " + target + " -> " + source + "; one of them must not be direct");
        }
    }

    /**
     * Starts the graph: calls {@link StageHandler#handleStart} of all stages, in the order in which they were added,
     * and then runs them. Events that were enqueued before are handled now.
     *
     * @throws IllegalStateException if it has been started before, or if a stage cannot start; then that stage and the
     *                               ones started before are stopped, with {@link StageHandler#handleStop}, and the
     *                               cause is the exception of the stage
     */
    public void start() {
        lock.lock();
        try {
            if (control != null || report != null) {
                throw new IllegalStateException(this + " has been started before");
            }
            control = new ControlThread(this, stages);
            try {
                for (Stage<?> stage : stages) {
                    begun.add(stage);
                    stage.handler.handleStart(new StageContext(stage));
                    stage.controlled.begin(System.nanoTime());
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
        return stages.stream().filter(stage -> stage.removal == null).toList();
    }

    /** {@return the accounts of its stages, in the order in which they were added} */
    public List<StageAccount> accounts() {
        return stages().stream().map(stage -> StageAccount.of(stage, 0)).toList();
    }

    /**
     * {@return the accounts of its edges, in the order in which they were made; those from outside come first} An edge
     * that has been moved keeps its counts; edges with the same source and the same target are reported as one.
     */
    public List<EdgeAccount> edgeAccounts() {
        Map<List<String>, EdgeAccount> accounts = new LinkedHashMap<>();
        for (Edge<?> edge : edges) {
            if (edge.target().removal == null && (edge.source == null || edge.source.removal == null)) {
                EdgeAccount account = EdgeAccount.of(edge);
                accounts.merge(Arrays.asList(account.source(), account.target()), account, EdgeAccount::plus);
            }
        }
        return List.copyOf(accounts.values());
    }

    /**
     * Puts a proxy stage between two stages; it replaces an existing one. A proxy allocates an object for each event.
     *
     * @param from the name of a stage that has looked up the other one; null for the outside
     * @param to the name of the stage looked up
     * @param kept the number of events that it keeps, at least 1
     * @return the proxy; closing it removes it
     * @throws IllegalArgumentException if there is no such edge
     */
    public ProxyStage<?> interpose(@Nullable String from, String to, int kept) {
        for (Edge<?> edge : edges) {
            if (edge.target().name().equals(to) && Objects.equals(edge.sourceName(), from)) {
                return edge.interpose(Ranges.between("kept", kept, 1, EventRing.MAX_CAPACITY));
            }
        }
        throw new IllegalArgumentException(from + " has not looked up the queue of " + to + " in " + this);
    }

    private void addEdge(Edge<?> edge) {
        edges.add(edge);
        edge.target().edgesTo.add(edge);
        if (edge.source != null) {
            edge.source.edgesFrom.add(edge);
        }
    }

    /** {@return the edge between two stages; created if it does not exist} */
    @SuppressWarnings("unchecked") // The edge leads to this stage.
    <T> Edge<T> edge(Stage<?> source, Stage<T> target) {
        if (target.graph != this) {
            throw new IllegalArgumentException(target + " belongs to " + target.graph + ", not to " + this);
        }
        synchronized (edges) {
            // A stage that is being removed may still enqueue at itself.
            if (target != source && target.removal != null) {
                throw new IllegalArgumentException(target + " has been removed from " + this);
            }
            for (Edge<?> edge : source.edgesFrom) {
                if (edge.target() == target) {
                    return (Edge<T>) edge;
                }
            }
            requireNoCircle(source, target);
            Edge<T> edge = new Edge<>(source, target, EventRing.ALL);
            addEdge(edge);
            return edge;
        }
    }

    @Nullable Stage<?> find(@Nullable String stageName) {
        return stageName == null ? null : byName.get(stageName);
    }

    // The end

    /**
     * Waits until all events that were accepted or {@linkplain EventQueue#workStarted() announced} have been handled,
     * in all stages at the same moment. No queue is closed, so events from outside may prevent this.
     *
     * @param timeout maximum time to wait
     * @return true if they have; false if the timeout elapsed
     * @throws IllegalArgumentException if the timeout is negative
     * @throws InterruptedException     if the thread is interrupted while it waits
     */
    public boolean drain(Duration timeout) throws InterruptedException {
        return GraphStop.awaitIdle(stages, System.nanoTime() + Timeout.nanos("timeout", timeout));
    }

    /**
     * Stops the graph. Events from outside are rejected immediately. Then the stages are drained and ended in the order
     * of the edges, with a call of {@link StageHandler#handleStop}; stages that lead to each other are ended together.
     * A stage whose queue {@linkplain EventQueue#workStarted() expects} an event is not ended before it has arrived.
     * When the deadline has passed, threads that are still in a handler are interrupted, and pending events are
     * discarded; half a second later these threads are no longer waited for. An interrupt of the caller ends the
     * waiting in the same way; its interrupt status is kept.
     *
     * <p>A handler must not call this, since the stop would wait for it. Stopping again returns the same report; but if
     * this has thrown an {@link OutOfMemoryError} or a {@link StackOverflowError}, stopping again continues where it
     * failed.
     *
     * <p>{@link System#exit} does not return, so a handler that calls it has not returned when a shutdown hook stops
     * the graph: the stop waits until the deadline.
     *
     * @param deadline the maximum time to wait for accepted events
     * @return the accounts of its stages, and how many events were discarded
     * @throws IllegalArgumentException if the deadline is negative
     * @throws IllegalStateException    if the virtual machine is shutting down because a thread that starts or stops
     *                                  the graph, or the thread of its controllers, has called {@link System#exit},
     *                                  which never returns. The message names the thread.
     */
    public StopReport stop(Duration deadline) {
        long end = System.nanoTime() + Timeout.nanos("deadline", deadline);
        StackReserve.requireForWait();
        StopReport stopped;
        lock.lock();
        try {
            if (report == null) {
                // A graph that was never started handles nothing.
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

    /** Stops the stages, or continues a stop that ran out of memory. */
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
            control.end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops the graph with {@link #CLOSE_DEADLINE}, and logs a warning if events were lost. */
    @Override
    public void close() {
        boolean first = report == null;
        StopReport ended = stop(CLOSE_DEADLINE);
        if (!first || ended.isDrained()) {
            return;
        }
        if (control == null) {
            LOG.warn("{} was closed without having been started: {}", this, ended);
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
