package dev.sluice.samples.stages;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Moves the nodes of each layer to the left and to the right, so that edges are straight where they can be. */
final class Alignment {

    private static final int SWEEPS = 12;

    private final Layers layers;

    Alignment(Layers layers) {
        this.layers = layers;
    }

    /**
     * Aligns all layers.
     *
     * @param margin where the leftmost node begins
     * @return where the rightmost one ends
     */
    double run(double margin) {
        for (int i = 0; i < layers.count(); i++) {
            spread(layers.get(i), 0);
        }
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int i = 0; i < layers.count(); i++) {
                settle(layers.get(sweep % 2 == 0 ? i : layers.count() - 1 - i));
            }
        }
        double middle = (left(connected()) + right(connected())) / 2;
        all().filter(layer -> layer.get(0).isLone()).forEach(layer -> spread(layer, middle));
        double shift = margin - left(all());
        all().flatMap(List::stream).forEach(node -> node.setMiddle(node.middle() + shift));
        return right(all());
    }

    private Stream<List<LayoutNode>> all() {
        return IntStream.range(0, layers.count()).mapToObj(layers::get);
    }

    private Stream<List<LayoutNode>> connected() {
        return all().filter(layer -> !layer.get(0).isLone());
    }

    private static double left(Stream<List<LayoutNode>> some) {
        return some.mapToDouble(layer -> layer.get(0).left()).min().orElse(0);
    }

    private static double right(Stream<List<LayoutNode>> some) {
        return some.mapToDouble(layer -> layer.get(layer.size() - 1).right()).max().orElse(0);
    }

    /** Puts nodes side by side, around a middle. */
    private static void spread(List<LayoutNode> layer, double middle) {
        double x = 0;
        for (int i = 0; i < layer.size(); i++) {
            x += i == 0 ? 0 : layer.get(i - 1).distance(layer.get(i));
            layer.get(i).setMiddle(x);
        }
        for (LayoutNode node : layer) {
            node.setMiddle(node.middle() + middle - x / 2);
        }
    }

    /** Each goes to its neighbours, but not into others: halfway between giving way to the right and to the left. */
    private static void settle(List<LayoutNode> layer) {
        int count = layer.size();
        double[] wanted = layer.stream().mapToDouble(LayoutNode::wantedMiddle).toArray();
        double[] toTheRight = wanted.clone();
        double[] toTheLeft = wanted.clone();
        for (int i = 1; i < count; i++) {
            toTheRight[i] = Math.max(wanted[i], toTheRight[i - 1] + layer.get(i - 1).distance(layer.get(i)));
        }
        for (int i = count - 2; i >= 0; i--) {
            toTheLeft[i] = Math.min(wanted[i], toTheLeft[i + 1] - layer.get(i).distance(layer.get(i + 1)));
        }
        for (int i = 0; i < count; i++) {
            layer.get(i).setMiddle((toTheRight[i] + toTheLeft[i]) / 2);
        }
    }
}
