package dev.sluice.stage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Which stages lead to which others. */
final class StageOrder {

    private final List<Stage<?>> stages;
    /** The stages that each one leads to, by one edge or several. */
    private final Map<Stage<?>, Set<Stage<?>>> reachable = new HashMap<>();

    /**
     * Follows the edges.
     *
     * @param stages the stages, in the order in which they were added
     * @param edges  those between them, and perhaps others
     */
    StageOrder(List<Stage<?>> stages, List<Edge<?>> edges) {
        this.stages = stages;
        for (Stage<?> stage : stages) {
            Set<Stage<?>> found = new HashSet<>();
            follow(stage, edges, edge -> true, found);
            reachable.put(stage, found);
        }
    }

    /** Adds what an origin leads to along some of the edges; the origin itself only if it is on a circle. */
    private static void follow(Stage<?> origin, List<Edge<?>> edges, Predicate<Edge<?>> wanted, Set<Stage<?>> found) {
        for (Edge<?> edge : edges) {
            if (edge.source() == origin && wanted.test(edge) && found.add(edge.target())) {
                follow(edge.target(), edges, wanted, found);
            }
        }
    }

    /** {@return whether direct stages lead from one direct stage to another} */
    static boolean isDirectly(Stage<?> from, Stage<?> to, List<Edge<?>> edges) {
        Set<Stage<?>> found = new HashSet<>();
        follow(from, edges, edge -> edge.target().isDirect(), found);
        return from == to || found.contains(to);
    }

    /**
     * Orders the stages by the edges: each comes after those that lead to it. Those that lead to each other are
     * together.
     *
     * @return groups of stages
     */
    List<List<Stage<?>>> groups() {
        List<List<Stage<?>>> groups = new ArrayList<>();
        Set<Stage<?>> left = new HashSet<>(stages);
        while (!left.isEmpty()) {
            for (Stage<?> stage : stages) {
                if (left.contains(stage) && isFirst(stage, left)) {
                    List<Stage<?>> group = group(stage);
                    groups.add(group);
                    group.forEach(left::remove);
                }
            }
        }
        return groups;
    }

    /** {@return whether only stages lead to it that it leads to as well} */
    private boolean isFirst(Stage<?> stage, Set<Stage<?>> left) {
        return left.stream().allMatch(other -> !reaches(other, stage) || reaches(stage, other));
    }

    private List<Stage<?>> group(Stage<?> stage) {
        List<Stage<?>> group = new ArrayList<>();
        for (Stage<?> other : stages) {
            if (other == stage || reaches(stage, other) && reaches(other, stage)) {
                group.add(other);
            }
        }
        return group;
    }

    private boolean reaches(Stage<?> from, Stage<?> to) {
        return reachable.get(from).contains(to);
    }
}
