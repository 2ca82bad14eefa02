package dev.sluice.samples.stages;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Orders the nodes of each layer so that few edges cross: each goes where its neighbours are on average, downwards and
 * upwards in turn, and the best that has come of it stays.
 */
final class CrossingReduction {

    private static final int SWEEPS = 12;

    private final Layers layers;

    CrossingReduction(Layers layers) {
        this.layers = layers;
    }

    void run() {
        List<List<LayoutNode>> best = orders();
        long minimum = crossings();
        for (int sweep = 0; sweep < SWEEPS && minimum > 0; sweep++) {
            boolean down = sweep % 2 == 0;
            for (int i = 0; i < layers.count(); i++) {
                sort(down ? i : layers.count() - 1 - i, down);
            }
            long now = crossings();
            if (now < minimum) {
                minimum = now;
                best = orders();
            }
        }
        for (int i = 0; i < layers.count(); i++) {
            layers.set(i, best.get(i));
        }
    }

    private List<List<LayoutNode>> orders() {
        List<List<LayoutNode>> orders = new ArrayList<>();
        for (int i = 0; i < layers.count(); i++) {
            orders.add(List.copyOf(layers.get(i)));
        }
        return orders;
    }

    private void sort(int number, boolean down) {
        List<LayoutNode> layer = new ArrayList<>(layers.get(number));
        Map<LayoutNode, Double> wanted = new IdentityHashMap<>();
        layer.forEach(node -> wanted.put(node, node.wantedPlace(down ? node.above : node.below)));
        layer.sort(Comparator.comparing(wanted::get));
        layers.set(number, layer);
    }

    private long crossings() {
        long crossings = 0;
        for (int i = 0; i < layers.count(); i++) {
            List<LayoutNode> layer = layers.get(i);
            for (int j = 0; j < layer.size(); j++) {
                for (LayoutNode next : layer.subList(j + 1, layer.size())) {
                    crossings += crossings(layer.get(j), next);
                }
            }
        }
        return crossings;
    }

    private static long crossings(LayoutNode left, LayoutNode right) {
        long crossings = 0;
        for (LayoutNode each : left.below) {
            crossings += right.below.stream().filter(other -> other.place() < each.place()).count();
        }
        return crossings;
    }
}
