package dev.sluice.stage;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Which stages lead to which others. Takes time and memory in proportion to the stages and edges, however long their
 * chains are: Tarjan's strongly connected components, with a stack of its own, and Kahn's topological order.
 */
final class StageOrder {

    private static final int UNSEEN = -1;

    private final List<Stage<?>> stages;
    /** For each stage the places of those that it leads to. */
    private final List<List<Integer>> following = new ArrayList<>();
    /** For each stage the number of its group; a group has a smaller number than those that lead to it. */
    private final int[] groupOf;
    private int groups;

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
        groupOf = new int[following.size()];
        findGroups();
    }

    /** Puts those together that lead to each other. */
    private void findGroups() {
        int count = following.size();
        int[] seen = new int[count];
        int[] lowest = new int[count];
        int[] nextEdge = new int[count];
        Deque<Integer> path = new ArrayDeque<>();
        Deque<Integer> ungrouped = new ArrayDeque<>();
        Arrays.fill(seen, UNSEEN);
        Arrays.fill(groupOf, UNSEEN);
        int time = 0;
        for (int root = 0; root < count; root++) {
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
                    } else if (groupOf[target] == UNSEEN) {
                        lowest[place] = Math.min(lowest[place], seen[target]);
                    }
                } else {
                    path.pop();
                    if (!path.isEmpty()) {
                        lowest[path.peek()] = Math.min(lowest[path.peek()], lowest[place]);
                    }
                    if (lowest[place] == seen[place]) {
                        endGroup(place, ungrouped);
                    }
                }
            }
        }
    }

    private void endGroup(int first, Deque<Integer> ungrouped) {
        int place;
        do {
            place = ungrouped.pop();
            groupOf[place] = groups;
        } while (place != first);
        groups++;
    }

    /**
     * Orders the stages by the edges: each comes after those that lead to it. Those that lead to each other are
     * together. Otherwise the stages keep their order as far as one look at them after the other finds them in it.
     *
     * @return groups of stages
     */
    List<List<Stage<?>>> groups() {
        List<List<Integer>> members = new ArrayList<>();
        for (int i = 0; i < groups; i++) {
            members.add(new ArrayList<>());
        }
        int[] preceding = new int[groups];
        for (int place = 0; place < groupOf.length; place++) {
            members.get(groupOf[place]).add(place);
            for (int target : following.get(place)) {
                preceding[groupOf[target]] += groupOf[target] == groupOf[place] ? 0 : 1;
            }
        }
        PriorityQueue<Ready> ready = new PriorityQueue<>(
                Comparator.comparingInt(Ready::look).thenComparingInt(Ready::place));
        for (int group = 0; group < groups; group++) {
            if (preceding[group] == 0) {
                ready.add(new Ready(0, members.get(group).get(0), group));
            }
        }
        List<List<Stage<?>>> ordered = new ArrayList<>();
        while (!ready.isEmpty()) {
            Ready next = ready.remove();
            List<Stage<?>> group = new ArrayList<>();
            for (int place : members.get(next.group())) {
                group.add(stages.get(place));
                for (int target : following.get(place)) {
                    int other = groupOf[target];
                    if (other != next.group() && --preceding[other] == 0) {
                        ready.add(foundAfter(next, other, members.get(other)));
                    }
                }
            }
            ordered.add(group);
        }
        return ordered;
    }

    /** {@return where a group is found that nothing precedes any more after another one} */
    private static Ready foundAfter(Ready last, int group, List<Integer> members) {
        int index = -Collections.binarySearch(members, last.place()) - 1;
        return index < members.size()
                ? new Ready(last.look(), members.get(index), group)
                : new Ready(last.look() + 1, members.get(0), group);
    }

    /**
     * A group after all that lead to it.
     *
     * @param look  the number of the look at all stages that finds it
     * @param place of that of its stages which is found first
     * @param group its number
     */
    private record Ready(int look, int place, int group) {
    }
}
