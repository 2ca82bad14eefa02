package dev.sluice.stages;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** A depth-first search of stages, with a stack of its own, since their chains may be long. */
final class StageSearch {

    private final Function<Stage<?>, Stream<Stage<?>>> neighbours;
    private final Set<Stage<?>> seen = new HashSet<>();
    private final Deque<Step> path = new ArrayDeque<>();
    /** The stages whose neighbours have all been visited, each after all stages first visited from it. */
    private final List<Stage<?>> finished = new ArrayList<>();

    private StageSearch(Function<Stage<?>, Stream<Stage<?>>> neighbours) {
        this.neighbours = neighbours;
    }

    /**
     * Puts stages into the order of the edges. A search along the edges, and one against them in the opposite order,
     * find the stages that lead to each other: Kosaraju's algorithm. Takes time and memory in proportion to the stages
     * and edges.
     *
     * @param stages all of a graph, in the order in which they were added
     * @return groups of stages that lead to each other, each after all groups that lead to it. The stages of a group,
     *         and groups that no edges order, keep their order.
     */
    static List<List<Stage<?>>> groups(List<Stage<?>> stages) {
        StageSearch along = new StageSearch(Stage::following);
        for (int i = stages.size() - 1; i >= 0; i--) {
            along.searchFrom(stages.get(i));
        }
        Collections.reverse(along.finished);
        StageSearch against = new StageSearch(Stage::preceding);
        List<List<Stage<?>>> groups = new ArrayList<>();
        Map<Stage<?>, List<Stage<?>>> groupOf = new HashMap<>();
        for (Stage<?> root : along.finished) {
            against.finished.clear();
            against.searchFrom(root);
            if (!against.finished.isEmpty()) {
                List<Stage<?>> group = new ArrayList<>();
                against.finished.forEach(member -> groupOf.put(member, group));
                groups.add(group);
            }
        }
        stages.forEach(stage -> Objects.requireNonNull(groupOf.get(stage)).add(stage));
        return groups;
    }

    /**
     * Returns whether direct stages lead from one direct stage to another. Searches from both ends alternately, so that
     * adding edges at either end of a long chain takes no longer than adding them in its middle.
     *
     * @param from the stage to begin at
     * @param to   the stage to look for
     * @return true if they do; a stage leads to itself
     */
    static boolean isDirectPath(Stage<?> from, Stage<?> to) {
        StageSearch forwards = new StageSearch(stage -> stage.following().filter(Stage::isDirect));
        StageSearch backwards = new StageSearch(stage -> stage.preceding().filter(Stage::isDirect));
        forwards.see(from);
        backwards.see(to);
        while (!forwards.seen.contains(to) && !backwards.seen.contains(from)) {
            if (!forwards.advance() || !backwards.advance()) {
                return false;
            }
        }
        return true;
    }

    private void searchFrom(Stage<?> root) {
        see(root);
        boolean found;
        do {
            found = advance();
        } while (found);
    }

    private void see(Stage<?> stage) {
        if (seen.add(stage)) {
            path.push(new Step(stage, neighbours.apply(stage).iterator()));
        }
    }

    /**
     * Performs a step of the search.
     *
     * @return false if it has ended
     */
    private boolean advance() {
        Step step = path.peek();
        if (step == null) {
            return false;
        }
        if (step.next.hasNext()) {
            see(step.next.next());
        } else {
            finished.add(step.stage);
            path.pop();
        }
        return true;
    }

    /** A stage, and its neighbours that have not been visited from there. */
    private record Step(Stage<?> stage, Iterator<Stage<?>> next) {
    }
}
