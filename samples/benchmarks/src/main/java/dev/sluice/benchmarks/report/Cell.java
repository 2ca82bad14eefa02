package dev.sluice.benchmarks.report;

import dev.sluice.benchmarks.run.Section.Better;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The results of one contestant in one scenario.
 *
 * @param values in all rounds, in ascending order; at least one
 * @param rounds how many those were
 */
record Cell(List<Double> values, int rounds) {

    Cell {
        values = values.stream().sorted().toList();
    }

    double median() {
        int middle = values.size() / 2;
        return values.size() % 2 == 1 ? values.get(middle) : (values.get(middle - 1) + values.get(middle)) / 2;
    }

    double best(Better better) {
        return better == Better.HIGHER ? values.get(values.size() - 1) : values.get(0);
    }

    /** {@return how far the values lie apart, as a share of their median, if there are several} */
    OptionalDouble spread() {
        if (values.size() == 1 || median() == 0) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of((values.get(values.size() - 1) - values.get(0)) / median());
    }

    /** {@return how many times as good a value is as another; empty if there is no finite ratio} */
    static OptionalDouble ratio(double value, double other, Better better) {
        double ratio = better == Better.HIGHER ? value / other : other / value;
        return Double.isFinite(ratio) && ratio > 0 ? OptionalDouble.of(ratio) : OptionalDouble.empty();
    }
}
