package dev.sluice.stages;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The stages in the order of the edges: Tarjan's strongly connected components, which finds a group of stages that lead
 * to each other after all groups that it leads to. Takes time and memory in proportion to the stages and edges, and a
 * stack of its own, however long their chains are.
 */
final class StageOrder {

    private static final int UNSEEN = -1;

    private final List<Stage<?>> stages;
    /** For each stage the places of those that it leads to. */
    private final List<List<Integer>> following = new ArrayList<>();
    /** For each stage whether it is in a group. */
    private final boolean[] grouped;
    /** The stages that have been seen and are in no group yet. */
    private final Deque<Integer> ungrouped = new ArrayDeque<>();
    private final Deque<List<Stage<?>>> groups = new ArrayDeque<>();

    /**
     * Follows the edges.
     *
     * @param stages the stages, in the order in which they were added
     * @param edges  those between them, and perhaps others
     */
    StageOrder(List<Stage<?>> stages, List<Edge<?>> edges) {
        this.stages = List.copyOf(stages);
        Map<Stage<?>, Integer> places = new IdentityHashMap<>();
        for (Stage<?> stage : this.stages) {
            places.put(stage, following.size());
            following.add(new ArrayList<>());
        }
        for (Edge<?> edge : edges) {
            Integer from = edge.source() == null ? null : places.get(edge.source());
            Integer to = places.get(edge.target());
            if (from != null && to != null) {
                following.get(from).add(to);
            }
        }
        grouped = new boolean[following.size()];
        findGroups();
    }

    /** Begins with the last stage, so that stages which no edges order keep their order. */
    private void findGroups() {
        int count = following.size();
        int[] seen = new int[count];
        int[] lowest = new int[count];
        int[] nextEdge = new int[count];
        Deque<Integer> path = new ArrayDeque<>();
        Arrays.fill(seen, UNSEEN);
        int time = 0;
        for (int root = count - 1; root >= 0; root--) {
            if (seen[root] == UNSEEN) {
                path.push(root);
            }
            while (!path.isEmpty()) {
                int place = path.peek();
                if (seen[place] == UNSEEN) {
                    seen[place] = time;
                    lowest[place] = time++;
                    ungrouped.push(place);
                }
                if (nextEdge[place] < following.get(place).size()) {
                    int target = following.get(place).get(nextEdge[place]++);
                    if (seen[target] == UNSEEN) {
                        path.push(target);
                    } else if (!grouped[target]) {
                        lowest[place] = Math.min(lowest[place], seen[target]);
                    }
                } else {
                    path.pop();
                    if (!path.isEmpty()) {
                        lowest[path.peek()] = Math.min(lowest[path.peek()], lowest[place]);
                    }
                    if (lowest[place] == seen[place]) {
                        endGroup(place);
                    }
                }
            }
        }
    }

    private void endGroup(int first) {
        List<Integer> places = new ArrayList<>();
        int place;
        do {
            place = ungrouped.pop();
            grouped[place] = true;
            places.add(place);
        } while (place != first);
        Collections.sort(places);
        groups.addFirst(places.stream().<Stage<?>>map(stages::get).toList());
    }

    /** {@return groups of stages that lead to each other, each after all groups that lead to it} */
    List<List<Stage<?>>> groups() {
        return List.copyOf(groups);
    }
}
