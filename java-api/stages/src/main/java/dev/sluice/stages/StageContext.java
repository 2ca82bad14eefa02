package dev.sluice.stages;

import org.jspecify.annotations.Nullable;

/**
 * The environment of a stage: the paper's lookup routine for the queues of other stages. A look-up creates an edge of
 * the graph, whose events are counted. May be used by any thread, at any time. Looking up a queue takes a lock of the
 * graph and searches its edges: do it once, in {@link StageHandler#handleStart}, and not for each event.
 */
public final class StageContext {

    private final Stage<?> stage;

    StageContext(Stage<?> stage) {
        this.stage = stage;
    }

    /** {@return the stage itself} */
    public Stage<?> stage() {
        return stage;
    }

    /**
     * Finds the queue of another stage by its name.
     *
     * @param name of the stage
     * @param type of the events to be enqueued
     * @param <T> the type of the events
     * @return its queue, for this stage only
     * @throws IllegalArgumentException if there is no such stage, if it takes no events of this type, or if both are
     *                                  direct stages and would call each other in a cycle; the message says which
     */
    @SuppressWarnings("unchecked") // The stage takes events of this type.
    public <T> EventQueue<T> queue(String name, Class<T> type) {
        Stage<?> target = find(name);
        if (target == null) {
            throw new IllegalArgumentException(stage + " looked up the unknown stage " + name + " in " + stage.graph
                    + "; its stages are " + stage.graph.stages());
        }
        if (!target.type().isAssignableFrom(type)) {
            throw new IllegalArgumentException(target + " takes " + target.type().getName() + ", and " + stage
                    + " wants to enqueue " + type.getName());
        }
        try {
            return queue((Stage<T>) target);
        } catch (IllegalArgumentException e) {
            if (find(name) == target) {
                throw e;
            }
            // It has been replaced or removed meanwhile.
            return queue(name, type);
        }
    }

    private @Nullable Stage<?> find(String name) {
        // A stage that replaces another one has its name, and is not found yet.
        return stage.name().equals(name) ? stage : stage.graph.find(name);
    }

    /**
     * Gives access to the queue of another stage.
     *
     * @param target the stage
     * @param <T> the type of its events
     * @return its queue, for this stage only
     * @throws IllegalArgumentException if it belongs to another graph, or if both are direct stages and would call each
     *                                  other in a cycle; the message says which
     */
    public <T> EventQueue<T> queue(Stage<T> target) {
        return stage.graph.edge(stage, target);
    }
}
