package dev.sluice.samples.stages;

import java.util.ArrayList;
import java.util.List;

/** What lies in a layer of a {@link GraphLayout}: a stage, or a lane where an edge passes. */
final class LayoutNode {

    private static final int LANE_WIDTH = 28;
    private static final int UNKNOWN = -1;

    /** What edges lead to, once for each of them. */
    final List<LayoutNode> above = new ArrayList<>();
    final List<LayoutNode> below = new ArrayList<>();
    private final boolean isStage;
    private int layer = UNKNOWN;
    private int place;
    private double middle;

    /** Creates a node without a layer. */
    LayoutNode(boolean isStage) {
        this.isStage = isStage;
    }

    /** {@return whether no edge leads from it to another one, or to it} */
    boolean isLone() {
        return above.isEmpty() && below.isEmpty();
    }

    boolean hasLayer() {
        return layer != UNKNOWN;
    }

    /** {@return the number of its layer, from the top} */
    int layer() {
        return layer;
    }

    void setLayer(int number) {
        layer = number;
    }

    /** {@return its number in its layer, from the left} */
    int place() {
        return place;
    }

    void setPlace(int number) {
        place = number;
    }

    /** {@return the mean of the places of its neighbours; its own place if it has none} */
    double wantedPlace(List<LayoutNode> neighbours) {
        return neighbours.stream().mapToInt(LayoutNode::place).average().orElse(place);
    }

    /** {@return where its middle is, from the left} */
    double middle() {
        return middle;
    }

    void setMiddle(double x) {
        middle = x;
    }

    /** {@return the mean of the middles of its neighbours above and below; its own one if it has none} */
    double wantedMiddle() {
        double sum = 0;
        for (LayoutNode each : above) {
            sum += each.middle;
        }
        for (LayoutNode each : below) {
            sum += each.middle;
        }
        return isLone() ? middle : sum / (above.size() + below.size());
    }

    private double width() {
        return isStage ? GraphLayout.STAGE_WIDTH : LANE_WIDTH;
    }

    double left() {
        return middle - width() / 2;
    }

    double right() {
        return middle + width() / 2;
    }

    /** {@return how far the middles of this one and the next one to the right have to be from each other} */
    double distance(LayoutNode next) {
        return (width() + next.width()) / 2 + (isStage && next.isStage ? GraphLayout.GAP : LANE_WIDTH);
    }
}
