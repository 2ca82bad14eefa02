package dev.sluice.benchmarks.report;

import dev.sluice.benchmarks.run.Sample;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Suite;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/** What a section shows: a cell for each contestant in each scenario, both in the order in which they were measured. */
final class Table {

    private final Section section;
    private final Set<String> scenarios = new LinkedHashSet<>();
    private final Map<String, Map<String, Cell>> rows = new LinkedHashMap<>();

    /**
     * Creates a table.
     *
     * @param section of a suite
     * @param samples of that suite, whatever their figure
     */
    Table(Section section, List<Sample> samples) {
        this.section = section;
        List<Sample> own = samples.stream().filter(sample -> sample.figure().equals(section.figure())).toList();
        own.forEach(sample -> scenarios.add(sample.scenario()));
        own.stream().collect(Collectors.groupingBy(Sample::contestant, LinkedHashMap::new,
                Collectors.groupingBy(Sample::scenario))).forEach((contestant, row) -> {
            Map<String, Cell> cells = new HashMap<>();
            row.forEach((scenario, values) -> cells.put(scenario, cell(values)));
            rows.put(contestant, cells);
        });
    }

    /** {@return one for each section of a suite} */
    static List<Table> of(Suite suite, List<Sample> samples) {
        return suite.sections().stream().map(section -> new Table(section, samples)).toList();
    }

    private static Cell cell(List<Sample> samples) {
        return new Cell(samples.stream().map(Sample::value).toList(),
                (int) samples.stream().map(Sample::round).distinct().count());
    }

    Section section() {
        return section;
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    List<String> scenarios() {
        return List.copyOf(scenarios);
    }

    List<String> contestants() {
        return List.copyOf(rows.keySet());
    }

    Optional<Cell> cell(String contestant, String scenario) {
        return Optional.ofNullable(rows.getOrDefault(contestant, Map.of()).get(scenario));
    }

    /** {@return all that were measured} */
    List<Cell> cells() {
        return rows.values().stream().map(Map::values).flatMap(Collection::stream).toList();
    }

    /** {@return how far the values of each cell lie apart, in ascending order, without cells of one value} */
    double[] spreads() {
        return cells().stream().map(Cell::spread).filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble).sorted().toArray();
    }

    /** {@return how many times as good the median is as that of the baseline} */
    OptionalDouble medianRatio(String contestant, String scenario) {
        return ratio(contestant, scenario, false);
    }

    /** {@return how many times as good the best is as that of the baseline} */
    OptionalDouble bestRatio(String contestant, String scenario) {
        return ratio(contestant, scenario, true);
    }

    private OptionalDouble ratio(String contestant, String scenario, boolean best) {
        Optional<Cell> cell = cell(contestant, scenario);
        Optional<Cell> baseline = cell(section.baseline(), scenario);
        if (cell.isEmpty() || baseline.isEmpty()) {
            return OptionalDouble.empty();
        }
        return best ? Cell.ratio(cell.get().best(section.better()), baseline.get().best(section.better()),
                section.better()) : Cell.ratio(cell.get().median(), baseline.get().median(), section.better());
    }

    /** {@return the best contestants of a column, by the values as shown; empty if all values are the same} */
    Set<String> winners(String scenario) {
        Map<String, Cell> column = new LinkedHashMap<>();
        contestants().forEach(each -> cell(each, scenario).ifPresent(cell -> column.put(each, cell)));
        List<Double> medians = new ArrayList<>(column.values().stream().map(Cell::median).sorted().toList());
        double best = section.better() == Section.Better.HIGHER ? medians.get(medians.size() - 1) : medians.get(0);
        Set<String> winners = column.keySet().stream()
                .filter(each -> Numbers.shown(column.get(each).median()).equals(Numbers.shown(best)))
                .collect(Collectors.toSet());
        return winners.size() == column.size() ? Set.of() : winners;
    }
}
