package dev.sluice.samples.stages;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Where the stages of a graph and the edges between them are drawn: a layered layout, in the manner of Sugiyama. Edges
 * go down from layer to layer, except those that close a circle.
 *
 * <p>All lengths are in the units of the drawing, from its upper left corner.
 */
final class GraphLayout {

    static final int STAGE_WIDTH = 196;
    static final int STAGE_HEIGHT = 88;
    /** Between two stages: for the loop of an edge that leads back to its stage, with its number. */
    static final int GAP = 72;

    private static final int LAYER_HEIGHT = STAGE_HEIGHT + 76;
    /** Above the stages is the arrow from outside. */
    private static final int MARGIN = 40;
    /** Of the ports from the left corner, where that arrow is, and from the right one. */
    private static final int PORTS_LEFT = 46;
    private static final int PORTS_RIGHT = 12;

    private final List<Way> ways;
    private final List<LayoutNode> stages = new ArrayList<>();
    private final Layers layers;
    /** For each way, from the upper stage to the lower one; null if it leads to where it begins. */
    private final List<List<LayoutNode>> chains = new ArrayList<>();
    private final int width;

    /**
     * An edge.
     *
     * @param from the number of a stage
     * @param to   the number of a stage, perhaps the same
     */
    record Way(int from, int to) {

        boolean isLoop() {
            return from == to;
        }
    }

    /**
     * Computes a layout.
     *
     * @param stages the number of stages
     * @param ways   between them, at most one from a stage to another
     */
    GraphLayout(int stages, List<Way> ways) {
        this.ways = ways;
        for (int i = 0; i < stages; i++) {
            this.stages.add(new LayoutNode(true));
        }
        CircleEdges circles = new CircleEdges(stages, ways);
        for (int i = 0; i < ways.size(); i++) {
            if (!ways.get(i).isLoop()) {
                LayoutNode upper = upper(i, circles);
                LayoutNode lower = lower(i, circles);
                upper.below.add(lower);
                lower.above.add(upper);
            }
        }
        layers = new Layers(this.stages);
        for (int i = 0; i < ways.size(); i++) {
            chains.add(ways.get(i).isLoop() ? null : layers.connect(upper(i, circles), lower(i, circles)));
        }
        new CrossingReduction(layers).run();
        width = (int) Math.ceil(new Alignment(layers).run(MARGIN)) + GAP;
    }

    private LayoutNode upper(int way, CircleEdges circles) {
        return stages.get(circles.closes(way) ? ways.get(way).to : ways.get(way).from);
    }

    private LayoutNode lower(int way, CircleEdges circles) {
        return stages.get(circles.closes(way) ? ways.get(way).from : ways.get(way).to);
    }

    /** {@return the width of the drawing} */
    int width() {
        return width;
    }

    /** {@return the height of the drawing} */
    int height() {
        return 2 * MARGIN + layers.count() * LAYER_HEIGHT - (LAYER_HEIGHT - STAGE_HEIGHT);
    }

    /** {@return the left side of a stage} */
    int x(int stage) {
        return left(stages.get(stage));
    }

    /** {@return the upper side of a stage} */
    int y(int stage) {
        return top(stages.get(stage));
    }

    private static int left(LayoutNode node) {
        return (int) Math.round(node.left());
    }

    private static int top(LayoutNode node) {
        return MARGIN + node.layer() * LAYER_HEIGHT;
    }

    private static int bottom(LayoutNode node) {
        return top(node) + STAGE_HEIGHT;
    }

    /**
     * The points that an edge passes, from its source to its target. Between two of them it goes down or up, and from a
     * stage to itself it leaves the right side and comes back there.
     *
     * @param way the number of the edge
     * @return x and y of each point in turn
     */
    int[] points(int way) {
        List<LayoutNode> chain = chains.get(way);
        if (chain == null) {
            LayoutNode stage = stages.get(ways.get(way).from);
            int right = left(stage) + STAGE_WIDTH;
            return new int[] {right, top(stage) + STAGE_HEIGHT * 3 / 4, right, top(stage) + STAGE_HEIGHT / 4};
        }
        LayoutNode upper = chain.get(0);
        LayoutNode lower = chain.get(chain.size() - 1);
        long beside = beside(way);
        List<int[]> points = new ArrayList<>();
        points.add(new int[] {port(upper, upper.below, chain.get(1), beside), bottom(upper)});
        for (LayoutNode lane : chain.subList(1, chain.size() - 1)) {
            int middle = (int) Math.round(lane.middle());
            points.add(new int[] {middle, top(lane)});
            points.add(new int[] {middle, bottom(lane)});
        }
        points.add(new int[] {port(lower, lower.above, chain.get(chain.size() - 2), beside), top(lower)});
        if (stages.get(ways.get(way).from) != upper) {
            Collections.reverse(points);
        }
        return points.stream().flatMapToInt(Arrays::stream).toArray();
    }

    /** {@return how many edges before this one connect the same stages directly, in whichever direction} */
    private long beside(int way) {
        List<LayoutNode> chain = chains.get(way);
        return chain.size() > 2 ? 0 : chains.subList(0, way).stream().filter(chain::equals).count();
    }

    /** The edges of one side have ports of their own, in the order of what they lead to, so that they do not cross. */
    private static int port(LayoutNode stage, List<LayoutNode> neighbours, LayoutNode other, long beside) {
        long before = beside + neighbours.stream().filter(each -> each.middle() < other.middle()).count();
        int width = STAGE_WIDTH - PORTS_LEFT - PORTS_RIGHT;
        return left(stage) + PORTS_LEFT + (int) (width * (2 * before + 1) / (2L * neighbours.size()));
    }
}
