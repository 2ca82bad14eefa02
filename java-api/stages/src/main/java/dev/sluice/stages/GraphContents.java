package dev.sluice.stages;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The stages and the edges of a graph. Any thread may read them without a lock. Each change holds the lock of this
 * object, and so does the look-up of a queue, which may create an edge; {@link GraphRun} lets one thread at a time add
 * and remove stages.
 */
final class GraphContents {

    private final StageGraph graph;
    /** Includes stages that are being removed. */
    private final List<Stage<?>> stages = new CopyOnWriteArrayList<>();
    private final List<Edge<?>> edges = new CopyOnWriteArrayList<>();
    private final Map<String, Stage<?>> byName = new ConcurrentHashMap<>();

    GraphContents(StageGraph graph) {
        this.graph = graph;
    }

    // Looking

    /** {@return a view of the stages, which includes those that are being removed} */
    List<Stage<?>> all() {
        return stages;
    }

    /** {@return the stages that have not been removed, in the order in which they were added} */
    List<Stage<?>> stages() {
        return stages.stream().filter(stage -> stage.removal == null).toList();
    }

    @Nullable Stage<?> find(@Nullable String name) {
        return name == null ? null : byName.get(name);
    }

    /** {@return the accounts of the edges between stages that have not been removed; one for each pair of stages} */
    List<EdgeAccount> edgeAccounts() {
        Map<List<String>, EdgeAccount> accounts = new LinkedHashMap<>();
        for (Edge<?> edge : edges) {
            if (edge.target().removal == null && (edge.source == null || edge.source.removal == null)) {
                EdgeAccount account = EdgeAccount.of(edge);
                accounts.merge(Arrays.asList(account.source(), account.target()), account, EdgeAccount::plus);
            }
        }
        return List.copyOf(accounts.values());
    }

    /** {@return the edge between the stages of these names; the source is null for the outside} */
    Edge<?> named(@Nullable String source, String target) {
        for (Edge<?> edge : edges) {
            if (edge.target().name().equals(target) && Objects.equals(edge.sourceName(), source)) {
                return edge;
            }
        }
        throw new IllegalArgumentException(source + " has not looked up the queue of " + target + " in " + graph);
    }

    // Checking

    void requireFree(String name) {
        if (find(name) != null) {
            throw new IllegalArgumentException("there are two stages named " + name + " in " + graph);
        }
    }

    void requireMember(Stage<?> stage) {
        requireOwn(stage);
        if (stage.removal != null) {
            throw new IllegalStateException(stage + " has already been removed from " + graph);
        }
    }

    private void requireOwn(Stage<?> stage) {
        if (stage.graph != graph) {
            throw new IllegalArgumentException(stage + " belongs to " + stage.graph + ", not to " + graph);
        }
    }

    private static void requireNoCycle(@Nullable Stage<?> source, Stage<?> target) {
        if (source != null && source.isDirect() && target.isDirect() && StageSearch.isDirectPath(target, source)) {
            throw new IllegalArgumentException("direct stages would call each other in a cycle: " + source
                    + " -> " + target + " -> " + source + "; one of them must not be direct");
        }
    }

    /** {@return the edges to a stage, except the one from the stage to itself} */
    @SuppressWarnings("unchecked") // They lead to this stage.
    private static <E> List<Edge<E>> edgesFromOthers(Stage<E> stage) {
        return stage.edgesTo.stream().filter(edge -> edge.source != stage).map(edge -> (Edge<E>) edge).toList();
    }

    // Changing

    synchronized void add(Stage<?> stage) {
        addEdge(stage.outside);
        stages.add(stage);
        byName.put(stage.name(), stage);
    }

    /**
     * Adds a stage in the place of another one, and moves all edges to it.
     *
     * @param removal the stop of the old stage
     */
    synchronized <E> void replace(Stage<E> old, Stage<E> stage, GraphStop removal) {
        List<Edge<E>> moved = edgesFromOthers(old);
        moved.forEach(edge -> requireNoCycle(edge.source, stage));
        if (stage.outside != old.outside) {
            addEdge(stage.outside);
        }
        old.removal = removal;
        stages.add(stages.indexOf(old) + 1, stage);
        // Both belong to the graph from here on, whatever fails.
        byName.put(stage.name(), stage);
        moved.forEach(edge -> move(edge, stage));
    }

    /** Closes the edges to a stage to events that have not been announced. May be repeated. */
    synchronized void detach(Stage<?> stage, GraphStop removal) {
        stage.removal = removal;
        edgesFromOthers(stage).forEach(Edge::detach);
        // The stage that replaces it has its name.
        byName.remove(stage.name(), stage);
    }

    /** Removes a stage that has ended, and its edges. */
    synchronized void forget(Stage<?> stage) {
        stage.forgotten = true;
        // An event that it has announced to another stage may still come from a thread that it has asked for it.
        stages.forEach(other -> other.edgesTo.removeIf(
                edge -> edge.source != null && edge.source.forgotten && edge.announced() == 0));
        stage.edgesTo.stream().filter(edge -> edge.source != null)
                .forEach(edge -> edge.source.edgesFrom.remove(edge));
        edges.removeAll(stage.edgesFrom);
        edges.removeAll(stage.edgesTo);
        stages.remove(stage);
    }

    synchronized <E> void moveEdge(@Nullable Stage<?> source, Stage<E> target, Stage<E> newTarget) {
        List<Edge<E>> moved = edgesFromOthers(target).stream().filter(edge -> edge.source == source).toList();
        if (moved.isEmpty()) {
            throw new IllegalArgumentException(source + " does not lead to " + target + " in " + graph);
        }
        requireNoCycle(source, newTarget);
        moved.forEach(edge -> move(edge, newTarget));
    }

    private static <E> void move(Edge<E> edge, Stage<E> target) {
        Stage<E> before = edge.target();
        // Add first, so that work announced on the edge is visible at any time.
        target.edgesTo.add(edge);
        edge.move(target);
        before.edgesTo.remove(edge);
    }

    /** {@return the edge between two stages; created if it does not exist} */
    @SuppressWarnings("unchecked") // The edge leads to this stage.
    synchronized <T> Edge<T> edge(Stage<?> source, Stage<T> target) {
        requireOwn(target);
        // A stage that is being removed may still enqueue at itself.
        if (target != source && target.removal != null) {
            throw new IllegalArgumentException(target + " has been removed from " + graph);
        }
        for (Edge<?> edge : source.edgesFrom) {
            if (edge.target() == target) {
                return (Edge<T>) edge;
            }
        }
        requireNoCycle(source, target);
        Edge<T> edge = new Edge<>(source, target, EventRing.ALL);
        addEdge(edge);
        return edge;
    }

    private void addEdge(Edge<?> edge) {
        edges.add(edge);
        edge.target().edgesTo.add(edge);
        if (edge.source != null) {
            edge.source.edgesFrom.add(edge);
        }
    }
}
