package dev.sluice.samples.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reasons to doubt measurements: a busy machine, or a generator that is too slow. */
final class Cautions {

    /**
     * In percent of one CPU. The machine's own daemons use a few, and the system counts the machine in ticks of a
     * hundredth of a second, which in a short measurement is some more.
     */
    private static final double MUCH_FOR_OTHERS = 25;
    private static final double NEARLY_ALL = 90;

    private final Comparison comparison;

    Cautions(Comparison comparison) {
        this.comparison = comparison;
    }

    /** {@return a line for each reason} */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        add(lines, Figure.OTHERS_CPU, MUCH_FOR_OTHERS, "other processes were busy on this machine",
                "the effect on the figures is unknown");
        add(lines, Figure.GENERATOR_CPU, NEARLY_ALL, "the load generator's thread was busy",
                "it may have limited the throughput");
        return lines;
    }

    private void add(List<String> lines, Figure figure, double limit, String what, String consequence) {
        int rows = 0;
        double maximum = limit;
        String where = null;
        for (Workload workload : comparison.workloads()) {
            for (Setup setup : comparison.measured(workload).toList()) {
                double highest = comparison.at(setup, workload).of(figure).maximum();
                rows += highest >= limit ? 1 : 0;
                if (highest >= maximum) {
                    maximum = highest;
                    where = setup + ", " + workload;
                }
            }
        }
        if (where != null) {
            lines.add(String.format(Locale.ROOT, "%s in %d of %d rows, for up to %.0f %% of a CPU (%s): %s", what, rows,
                    comparison.rows() - comparison.missingRows(), maximum, where, consequence));
        }
    }
}
