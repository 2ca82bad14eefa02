package dev.sluice.benchmarks.report;

import dev.sluice.benchmarks.run.Section;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Describes a table in up to three sentences, which should be replaced by better ones where a run is published. */
final class Finding {

    private final Table table;

    Finding(Table table) {
        this.table = table;
    }

    /** {@return the sentences in Markdown, a line each} */
    String text() {
        return best() + ratio() + scatter();
    }

    private String best() {
        Map<String, Integer> wins = new LinkedHashMap<>();
        table.scenarios().forEach(scenario -> table.winners(scenario)
                .forEach(winner -> wins.merge(winner, 1, Integer::sum)));
        return wins.entrySet().stream().max(Map.Entry.comparingByValue())
                .map(entry -> Markdown.text(entry.getKey()) + " has the best median in " + entry.getValue() + " of "
                        + table.scenarios().size() + (table.scenarios().size() == 1 ? " column.\n" : " columns.\n"))
                .orElse("");
    }

    /** Of Sluice's contestants only: how the others compare with each other is in the table. */
    private String ratio() {
        Section section = table.section();
        if (section.baseline() == null || Family.of(section.baseline()) == Family.SLUICE) {
            return "";
        }
        List<String> own = table.contestants().stream().filter(each -> Family.of(each) == Family.SLUICE).toList();
        DoubleSummaryStatistics ratios = new DoubleSummaryStatistics();
        for (String scenario : table.scenarios()) {
            own.stream().map(each -> table.medianRatio(each, scenario)).filter(OptionalDouble::isPresent)
                    .mapToDouble(OptionalDouble::getAsDouble).max().ifPresent(ratios);
        }
        return ratios.getCount() == 0 ? "" : "Sluice's best is " + Numbers.ratio(ratios.getMin()) + " to "
                + Numbers.ratio(ratios.getMax()) + " times as good as " + Markdown.text(section.baseline()) + ".\n";
    }

    private String scatter() {
        double[] spreads = table.spreads();
        return spreads.length == 0 ? "" : "Differences of less than "
                + Numbers.percentage(spreads[(spreads.length - 1) / 2])
                + " mean little: the rounds of half of the cells differ by that much.\n";
    }
}
