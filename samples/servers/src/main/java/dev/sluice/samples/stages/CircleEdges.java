package dev.sluice.samples.stages;

import java.util.List;

/** Finds a few edges without which a graph has no circles: those that lead back to where a walk along edges is. */
final class CircleEdges {

    private final List<GraphLayout.Way> ways;
    private final boolean[] begun;
    private final boolean[] inside;
    private final boolean[] closing;

    /**
     * Walks through a graph.
     *
     * @param stages the number of stages
     * @param ways   between them
     */
    CircleEdges(int stages, List<GraphLayout.Way> ways) {
        this.ways = ways;
        begun = new boolean[stages];
        inside = new boolean[stages];
        closing = new boolean[ways.size()];
        boolean[] hasSource = new boolean[stages];
        for (GraphLayout.Way way : ways) {
            hasSource[way.to()] |= !way.isLoop();
        }
        for (int stage = 0; stage < stages; stage++) {
            if (!hasSource[stage]) {
                walk(stage);
            }
        }
        // What is left are circles that nothing else leads to.
        for (int stage = 0; stage < stages; stage++) {
            walk(stage);
        }
    }

    private void walk(int stage) {
        if (begun[stage]) {
            return;
        }
        begun[stage] = true;
        inside[stage] = true;
        for (int i = 0; i < closing.length; i++) {
            GraphLayout.Way way = ways.get(i);
            if (way.from() == stage && !way.isLoop()) {
                closing[i] = inside[way.to()];
                walk(way.to());
            }
        }
        inside[stage] = false;
    }

    /** {@return whether an edge closes a circle, apart from those that lead from a stage to itself} */
    boolean closes(int way) {
        return closing[way];
    }
}
