package dev.sluice.stages;

import dev.sluice.failure.CloseLock;
import dev.sluice.failure.Failures;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The life of a graph and its stages: starts them, ends those that are removed, and stops all of them. One thread at a
 * time does this, or changes the graph.
 */
final class GraphRun {

    private final StageGraph graph;
    private final GraphContents contents;
    /** Held while the hooks that begin and end stages are called. */
    private final CloseLock lock;
    private volatile @Nullable StopReport report;

    // Accessed only by the thread that holds the lock, apart from the last one

    /** Whether the holder of the lock is inside: a hook that it has called must not come in. */
    private boolean inside;
    /** The stages whose handlers have been started, or were about to be. */
    private final List<Stage<?>> begun = new ArrayList<>();
    private @Nullable GraphStop stopping;
    /** Null until the graph is started. */
    private volatile @Nullable ControlThread control;

    GraphRun(StageGraph graph, GraphContents contents) {
        this.graph = graph;
        this.contents = contents;
        lock = new CloseLock(graph);
    }

    // One thread at a time

    private void enter(String change) {
        lock.lock();
        if (inside) {
            lock.unlock();
            throw new IllegalStateException("cannot " + change + ": a handler that " + graph + " starts or stops must"
                    + " not change it");
        }
        inside = true;
    }

    /** Ends what {@link #enterChange} has begun. */
    void leave() {
        inside = false;
        lock.unlock();
    }

    /**
     * Begins a change, which {@link #leave} ends.
     *
     * @param change for messages, such as {@code add parse}
     */
    void enterChange(String change) {
        enter(change);
        if (report != null || stopping != null) {
            leave();
            throw new IllegalStateException("cannot " + change + ": " + graph + " has been stopped");
        }
    }

    boolean isStarted() {
        return control != null;
    }

    boolean isStopped() {
        return report != null;
    }

    // Single stages, during a change

    /** {@return the stop of one stage, while the graph continues to run} */
    GraphStop removal(Stage<?> stage) {
        return new GraphStop(List.of(List.of(stage)), begun);
    }

    /** Starts a stage to which no edge leads yet, if the graph runs. */
    void begin(Stage<?> stage) {
        if (control == null) {
            return;
        }
        try {
            prepare(stage);
            stage.execution.start();
        } catch (Throwable e) {
            IllegalStateException failure = cannotStart(stage, e);
            discard(stage, failure);
            throw failure;
        }
    }

    private void prepare(Stage<?> stage) throws Exception {
        begun.add(stage);
        stage.handler.handleStart(new StageContext(stage));
        stage.controlled.begin(System.nanoTime());
    }

    private IllegalStateException cannotStart(Object part, Throwable cause) {
        return new IllegalStateException(part + " of " + graph + " cannot start", cause);
    }

    /** Ends a stage to which no edge leads yet, because of a failure that the caller throws. */
    void discard(Stage<?> stage, Throwable failure) {
        try {
            stage.removal = removal(stage);
            finish(stage, System.nanoTime());
        } catch (Throwable shortage) {
            Failures.and(failure, shortage);
        }
    }

    /** Ends a stage that is being removed, and then forgets it. */
    StopReport finish(Stage<?> stage, long end) {
        GraphStop removal = stage.removal;
        assert removal != null;
        // A stage that was never started handles no events, so waiting is useless.
        StopReport ended = removal.run(control == null ? System.nanoTime() : end);
        contents.forget(stage);
        begun.remove(stage);
        return ended;
    }

    // The whole graph

    void start() {
        enter("start " + graph);
        try {
            if (control != null || report != null) {
                throw new IllegalStateException(graph + " has been started before");
            }
            ControlThread controllers = new ControlThread(graph, contents.all());
            control = controllers;
            Object part = graph;
            try {
                for (Stage<?> stage : contents.all()) {
                    part = stage;
                    prepare(stage);
                }
                for (Stage<?> stage : contents.all()) {
                    part = stage;
                    stage.execution.start();
                }
                part = "the thread of the controllers";
                controllers.start();
            } catch (Throwable e) {
                IllegalStateException failure = cannotStart(part, e);
                try {
                    report = stopped(System.nanoTime());
                } catch (Throwable shortage) {
                    // A stop continues.
                    failure.addSuppressed(shortage);
                }
                throw failure;
            }
        } finally {
            leave();
        }
    }

    /** Stops the graph, if it has not been stopped, and the thread of its controllers. */
    StopReport stop(long end) {
        StopReport stopped;
        enter("stop " + graph);
        try {
            stopped = report;
            if (stopped == null) {
                // A graph that was never started handles nothing.
                stopped = stopped(control == null ? System.nanoTime() : end);
                report = stopped;
            }
        } finally {
            leave();
        }
        // Not under the lock: a controller may be waiting for it, to stop the graph.
        endControl(end);
        return stopped;
    }

    /** Stops the stages, or continues a stop that ran out of memory. */
    private StopReport stopped(long end) {
        if (stopping == null) {
            stopping = new GraphStop(StageSearch.groups(contents.all()), begun);
        }
        return stopping.run(end);
    }

    private void endControl(long end) {
        ControlThread controllers = control;
        if (controllers == null) {
            return;
        }
        try {
            controllers.end(end);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
