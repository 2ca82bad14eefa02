package dev.sluice.samples.stages;

import java.util.ArrayList;
import java.util.List;

/**
 * Stages in layers, so that edges lead from a layer to a later one. Those that no edge connects with others come last.
 */
final class Layers {

    /** Lone stages side by side, if the others do not need more room anyhow. */
    private static final int LONE_STAGES = 2;

    private final List<List<LayoutNode>> layers = new ArrayList<>();

    /**
     * Gives each stage a layer.
     *
     * @param stages whose neighbours are those that edges lead to, without circles
     */
    Layers(List<LayoutNode> stages) {
        int last = -1;
        for (LayoutNode stage : stages) {
            last = Math.max(last, stage.isLone() ? -1 : longestWay(stage));
        }
        for (LayoutNode stage : stages) {
            if (stage.above.isEmpty() && !stage.isLone()) {
                // As near as can be to what it leads to.
                stage.setLayer(stage.below.stream().mapToInt(LayoutNode::layer).min().getAsInt() - 1);
            }
        }
        stages.stream().filter(stage -> !stage.isLone()).forEach(this::add);
        int widest = Math.max(LONE_STAGES, layers.stream().mapToInt(List::size).max().orElse(0));
        int count = 0;
        for (LayoutNode stage : stages) {
            if (stage.isLone()) {
                stage.setLayer(last + 1 + count / widest);
                add(stage);
                count++;
            }
        }
    }

    private static int longestWay(LayoutNode node) {
        if (!node.hasLayer()) {
            int layer = 0;
            for (LayoutNode each : node.above) {
                layer = Math.max(layer, longestWay(each) + 1);
            }
            node.setLayer(layer);
        }
        return node.layer();
    }

    private void add(LayoutNode node) {
        while (layers.size() <= node.layer()) {
            layers.add(new ArrayList<>());
        }
        List<LayoutNode> layer = layers.get(node.layer());
        node.setPlace(layer.size());
        layer.add(node);
    }

    /**
     * Puts a lane into each layer between two stages, which are no neighbours of each other any more, but of the lanes.
     *
     * @return the way from the one to the other
     */
    List<LayoutNode> connect(LayoutNode upper, LayoutNode lower) {
        List<LayoutNode> chain = new ArrayList<>();
        chain.add(upper);
        for (int layer = upper.layer() + 1; layer < lower.layer(); layer++) {
            LayoutNode lane = new LayoutNode(false);
            lane.setLayer(layer);
            add(lane);
            chain.add(lane);
        }
        chain.add(lower);
        if (chain.size() > 2) {
            replace(upper.below, lower, chain.get(1));
            replace(lower.above, upper, chain.get(chain.size() - 2));
            for (int i = 1; i < chain.size() - 1; i++) {
                chain.get(i).above.add(chain.get(i - 1));
                chain.get(i).below.add(chain.get(i + 1));
            }
        }
        return chain;
    }

    private static void replace(List<LayoutNode> neighbours, LayoutNode before, LayoutNode after) {
        neighbours.set(neighbours.indexOf(before), after);
    }

    int count() {
        return layers.size();
    }

    /** {@return a layer, from left to right} */
    List<LayoutNode> get(int layer) {
        return layers.get(layer);
    }

    /** Gives the nodes of a layer another order. */
    void set(int layer, List<LayoutNode> nodes) {
        layers.set(layer, nodes);
        for (int i = 0; i < nodes.size(); i++) {
            nodes.get(i).setPlace(i);
        }
    }
}
