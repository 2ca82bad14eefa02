package dev.sluice.stages;

import dev.sluice.deadline.Timeout;
import dev.sluice.failure.StackReserve;
import dev.sluice.hook.HookFailure;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An application as a network of stages (3.3). It is started once, and finally stopped once. Before it is started and
 * while it runs, stages may be added, replaced and removed, and edges moved. One thread of the graph runs all
 * controllers.
 *
 * <p>Any thread may inspect a graph at any time, without a lock. Only one thread at a time may change it, so a change
 * that waits for a stage to be drained delays a stop. Handlers must not change it, apart from looking up queues: while
 * the graph starts or stops them, that throws an {@link IllegalStateException}, and a handler that removes its own
 * stage waits for itself until the deadline.
 */
public final class StageGraph implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StageGraph.class);

    /** Maximum time that {@link #close()} waits for accepted events: 5 seconds. */
    public static final Duration CLOSE_DEADLINE = Duration.ofSeconds(5);

    private final String name;
    /** Sees all stages; null if there is none. */
    final @Nullable GraphController controller;
    private final GraphContents contents = new GraphContents(this);
    private final GraphRun run = new GraphRun(this, contents);

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
     * Adds a stage. If the graph runs, the stage starts immediately; handlers that were started before find it when
     * they look it up afterwards.
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
        run.enterChange("add " + stageName);
        try {
            contents.requireFree(stageName);
            Stage<E> stage = new Stage<>(this, stageName, type, handler, options, null);
            run.begin(stage);
            try {
                contents.add(stage);
            } catch (Throwable e) {
                run.discard(stage, e);
                throw e;
            }
            return stage;
        } finally {
            run.leave();
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
        run.enterChange("replace " + old);
        try {
            contents.requireMember(old);
            Edge<E> inherited = old.outside.target() == old ? old.outside : null;
            Stage<E> stage = new Stage<>(this, old.name(), old.type(), handler, options, inherited);
            run.begin(stage);
            try {
                contents.replace(old, stage, run.removal(old));
            } catch (Throwable e) {
                if (!contents.all().contains(stage)) {
                    old.removal = null;
                    run.discard(stage, e);
                }
                throw e;
            }
            StopReport ended = run.finish(old, end);
            if (!ended.isDrained()) {
                LOG.warn("{} was replaced and not drained within {}: {}", old, deadline, ended);
            }
            return stage;
        } finally {
            run.leave();
        }
    }

    /**
     * Removes a stage. Its queue is closed immediately, except for events that the stage enqueues itself or that have
     * been {@linkplain EventQueue#workStarted() announced}; other handlers that have looked up the queue get {@link
     * EnqueueResult#CLOSED}, unless their edges have been {@linkplain #moveEdge moved} before. The stage handles the
     * events that it has accepted, and then {@link StageHandler#handleStop} is called. At the deadline, it is ended as
     * by {@link #stop}. If this throws an {@link OutOfMemoryError} or a {@link StackOverflowError}, calling it again
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
        run.enterChange("remove " + stage);
        try {
            GraphStop removal = stage.removal;
            if (removal == null || !contents.all().contains(stage)) {
                contents.requireMember(stage);
                removal = run.removal(stage);
            }
            // Repeated if the removal is continued: it may have failed anywhere.
            contents.detach(stage, removal);
            return run.finish(stage, end);
        } finally {
            run.leave();
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
     * @throws IllegalStateException    if the graph has been stopped, or one of the stages has been removed or replaced
     */
    public <E> void moveEdge(@Nullable Stage<?> source, Stage<E> target, Stage<E> newTarget) {
        run.enterChange("move an edge of " + target);
        try {
            contents.requireMember(target);
            contents.requireMember(newTarget);
            if (source != null) {
                contents.requireMember(source);
            }
            contents.moveEdge(source, target, newTarget);
        } finally {
            run.leave();
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
        run.start();
    }

    // Looking

    /** {@return its stages, in the order in which they were added} */
    public List<Stage<?>> stages() {
        return contents.stages();
    }

    /** {@return the accounts of its stages, in the order in which they were added} */
    public List<StageAccount> accounts() {
        return stages().stream().map(stage -> StageAccount.of(stage, 0)).toList();
    }

    /**
     * {@return the accounts of its edges, in the order in which they were made} An edge that has been moved keeps its
     * counts; edges with the same source and the same target are reported as one.
     */
    public List<EdgeAccount> edgeAccounts() {
        return contents.edgeAccounts();
    }

    /**
     * Puts a proxy stage between two stages; it replaces an existing one. A proxy allocates an object for each event.
     *
     * @param source the name of a stage that has looked up the other one; null for the outside
     * @param target the name of the stage looked up
     * @param capacity the number of events that it keeps, at least 1
     * @return the proxy; closing it removes it
     * @throws IllegalArgumentException if there is no such edge
     */
    public ProxyStage<?> interpose(@Nullable String source, String target, int capacity) {
        return contents.named(source, target).interpose(Ranges.between("kept", capacity, 1, EventRing.MAX_CAPACITY));
    }

    /** {@return the edge between two stages; created if it does not exist} */
    <T> Edge<T> edge(Stage<?> source, Stage<T> target) {
        return contents.edge(source, target);
    }

    @Nullable Stage<?> find(@Nullable String stageName) {
        return contents.find(stageName);
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
        return GraphStop.awaitIdle(contents.all(), System.nanoTime() + Timeout.nanos("timeout", timeout));
    }

    /**
     * Stops the graph. Events from outside are rejected immediately. Then the stages are drained and ended in the order
     * of the edges, with a call of {@link StageHandler#handleStop}; stages that lead to each other are ended together.
     * A stage whose queue {@linkplain EventQueue#workStarted() expects} an event is not ended before it has arrived.
     * When the deadline has passed, threads that are still in a handler or a controller are interrupted, apart from
     * those that several stages share, and pending events are discarded; half a second later these threads are no
     * longer waited for. An interrupt of the caller ends the waiting in the same way; its interrupt status is kept.
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
        return run.stop(end);
    }

    /** Stops the graph with {@link #CLOSE_DEADLINE}, and logs a warning if events were lost. */
    @Override
    public void close() {
        boolean first = !run.isStopped();
        StopReport ended = stop(CLOSE_DEADLINE);
        if (!first || ended.isDrained()) {
            return;
        }
        if (!run.isStarted()) {
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
