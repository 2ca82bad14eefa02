package dev.sluice.benchmarks.report;

import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Target;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/** A target, compared with the values of a table. */
final class Aim {

    private static final String MISSING = "-";
    private static final double SMALLEST_SHOWN = 0.005;

    private final Target target;
    private final Table table;
    private final Section section;

    private Aim(Target target, Table table) {
        this.target = target;
        this.table = table;
        this.section = table.section();
    }

    /** {@return the targets of a table, without those of contestants and scenarios that were not measured} */
    static List<Aim> of(Table table) {
        List<String> contestants = table.contestants();
        List<String> scenarios = table.scenarios();
        return table.section().targets().stream().filter(target -> contestants.contains(target.contestant())
                        && (target.scenario() == null || scenarios.contains(target.scenario())))
                .map(target -> new Aim(target, table)).toList();
    }

    /** {@return the row below the contestants: the target, and for each scenario whether it is reached} */
    List<String> row() {
        List<String> row = new ArrayList<>(List.of(text()));
        List<String> scenarios = table.scenarios();
        scenarios.forEach(scenario -> row.add(applies(scenario, scenarios) ? verdict(scenario) : ""));
        return row;
    }

    private String text() {
        String bound = section.better() == Better.HIGHER ? "at least " : "at most ";
        String times = bound + Numbers.ratio(target.factor()) + " times ";
        return target.contestant() + ": " + switch (target.measure()) {
            case Target.Fixed fixed -> bound + Numbers.shown(fixed.limit()) + " " + section.unit();
            case Target.Other other -> times + other.contestant();
            case Target.BestOf best -> times + "the best of " + best.name();
            case Target.Elsewhere elsewhere -> times + "that of " + elsewhere.scenario();
            case Target.OwnBest own -> times + "its best"
                    + (target.scenario() == null ? ", from there on" : "");
            case Target.Near near -> "within " + Numbers.shown(near.distance()) + " of " + near.contestant();
        };
    }

    private boolean applies(String scenario, List<String> scenarios) {
        if (target.scenario() != null) {
            return target.scenario().equals(scenario);
        }
        return !(target.measure() instanceof Target.OwnBest)
                || scenarios.indexOf(scenario) >= scenarios.indexOf(scenarioOfBest().orElse(scenario));
    }

    private Optional<Double> bestOf(List<String> contestants, String scenario) {
        DoubleStream medians = contestants.stream().flatMap(each -> median(each, scenario).stream())
                .mapToDouble(Double::doubleValue);
        OptionalDouble best = section.better() == Better.HIGHER ? medians.max() : medians.min();
        return best.isPresent() ? Optional.of(best.getAsDouble()) : Optional.empty();
    }

    private Optional<String> scenarioOfBest() {
        Comparator<String> byMedian = Comparator.comparingDouble(scenario -> median(target.contestant(), scenario)
                .orElseThrow());
        List<String> measured = table.scenarios().stream()
                .filter(scenario -> median(target.contestant(), scenario).isPresent()).toList();
        return section.better() == Better.HIGHER ? measured.stream().max(byMedian) : measured.stream().min(byMedian);
    }

    private Optional<Double> median(String contestant, String scenario) {
        return table.cell(contestant, scenario).map(Cell::median);
    }

    private String verdict(String scenario) {
        Optional<Double> value = median(target.contestant(), scenario);
        Optional<Double> measure = switch (target.measure()) {
            case Target.Fixed fixed -> Optional.of(fixed.limit());
            case Target.Other other -> median(other.contestant(), scenario);
            case Target.BestOf best -> bestOf(best.contestants(), scenario);
            case Target.Elsewhere elsewhere -> median(target.contestant(), elsewhere.scenario());
            case Target.OwnBest own -> scenarioOfBest().flatMap(best -> median(target.contestant(), best));
            case Target.Near near -> median(near.contestant(), scenario);
        };
        if (value.isEmpty() || measure.isEmpty()) {
            return MISSING;
        }
        return target.measure() instanceof Target.Near near
                ? near(value.get(), measure.get(), near.distance()) : limited(value.get(), measure.get());
    }

    private String near(double value, double measure, double distance) {
        double away = Math.abs(value - measure);
        return Numbers.shown(away) + ": "
                + (away <= distance ? "reached" : "missed by " + Numbers.shown(away - distance));
    }

    private String limited(double value, double measure) {
        double limit = target.factor() * measure;
        boolean reached = section.better() == Better.HIGHER ? value >= limit : value <= limit;
        String compared = target.measure() instanceof Target.Fixed || measure == 0 ? Numbers.shown(value)
                : Numbers.ratio(value / measure);
        return compared + ": " + (reached ? "reached" : "missed by " + distance(value, limit));
    }

    /** In the unit of the table if there is nothing that it could be a share of. */
    private String distance(double value, double limit) {
        double distance = Math.abs(value - limit);
        if (limit == 0) {
            return Numbers.shown(distance) + " " + section.unit();
        }
        double share = distance / Math.abs(limit);
        return share < SMALLEST_SHOWN ? "less than 1 %" : Numbers.percentage(share);
    }
}
