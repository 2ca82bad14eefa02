package dev.sluice.stages;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** A search for stages that are reached from one along direct stages alone. */
final class DirectPath {

    private final Function<Stage<?>, Stream<Stage<?>>> neighbours;
    private final Set<Stage<?>> found = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Stage<?>> left = new ArrayDeque<>();

    private DirectPath(Stage<?> origin, Function<Stage<?>, Stream<Stage<?>>> neighbours) {
        this.neighbours = neighbours;
        note(origin);
    }

    /**
     * Whether direct stages lead from one direct stage to another. Searches from both ends by turns, so that adding
     * edges at either end of a long chain takes no longer than adding them in its middle.
     *
     * @param from      where to begin
     * @param to        the stage to look for
     * @param following the stages that one leads to
     * @param preceding the stages that lead to one
     * @return whether they do; a stage leads to itself
     */
    static boolean leads(Stage<?> from, Stage<?> to, Function<Stage<?>, Stream<Stage<?>>> following,
            Function<Stage<?>, Stream<Stage<?>>> preceding) {
        DirectPath forwards = new DirectPath(from, following);
        DirectPath backwards = new DirectPath(to, preceding);
        while (!forwards.found.contains(to) && !backwards.found.contains(from)) {
            if (!forwards.goOn() || !backwards.goOn()) {
                return false;
            }
        }
        return true;
    }

    private void note(Stage<?> stage) {
        if (stage.isDirect() && found.add(stage)) {
            left.add(stage);
        }
    }

    /** {@return whether there was a stage to go on from} */
    private boolean goOn() {
        Stage<?> stage = left.poll();
        if (stage == null) {
            return false;
        }
        neighbours.apply(stage).forEach(this::note);
        return true;
    }
}
