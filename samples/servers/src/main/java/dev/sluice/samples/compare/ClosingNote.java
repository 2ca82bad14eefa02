package dev.sluice.samples.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Compares the {@linkplain Claim claims} of the Leader/Followers paper with the measurements: where they hold, where
 * they do not, and where the repetitions differ too much.
 */
final class ClosingNote {

    private record Finding(int verdict, double ratio, String where) {
    }

    private final Comparison comparison;

    ClosingNote(Comparison comparison) {
        this.comparison = comparison;
    }

    /** {@return a heading, a line for each claim, and one for each number of connections} */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("The claims of the Leader/Followers paper (section), checked on pairs of rows that differ in "
                + "nothing else. A pair is decided if all repetitions of one row are better than all of the other's, "
                + Spread.MIN_REPETITIONS + " or more of each:");
        for (Claim claim : Claim.values()) {
            lines.add(claim.text() + ": " + verdict(claim));
        }
        comparison.workloads().forEach(workload -> lines.add("most requests per second with " + workload + ": "
                + winner(workload)));
        return lines;
    }

    private String verdict(Claim claim) {
        List<Finding> findings = findings(claim);
        if (findings.isEmpty()) {
            return "not compared";
        }
        long holds = findings.stream().filter(finding -> finding.verdict > 0).count();
        long opposite = findings.stream().filter(finding -> finding.verdict < 0).count();
        String verdict = holds + opposite == 0 ? "not decided"
                : opposite == 0 ? "holds" : holds == 0 ? "the opposite holds" : "holds for some pairs only";
        Finding lowest = findings.get(0);
        Finding highest = findings.get(findings.size() - 1);
        return String.format(Locale.ROOT, "%s; of %d pairs it holds in %d, the opposite in %d, not decided are %d; "
                        + "median x%.2f, from x%.2f (%s) to x%.2f (%s)", verdict, findings.size(), holds, opposite,
                findings.size() - holds - opposite, findings.get(findings.size() / 2).ratio, lowest.ratio, lowest.where,
                highest.ratio, highest.where);
    }

    /** {@return for each pair how many times the rival's figure it is, ascending} */
    private List<Finding> findings(Claim claim) {
        List<Finding> findings = new ArrayList<>();
        for (Workload workload : comparison.workloads()) {
            List<Setup> measured = comparison.measured(workload).toList();
            for (Setup setup : measured) {
                measured.stream().filter(rival -> claim.isAbout(setup, rival))
                        .filter(rival -> isCounted(claim, workload, setup, rival))
                        .forEach(rival -> findings.add(finding(claim, workload, setup, rival)));
            }
        }
        findings.sort(Comparator.comparingDouble(Finding::ratio));
        return findings;
    }

    private boolean isCounted(Claim claim, Workload workload, Setup setup, Setup rival) {
        return !Double.isNaN(comparison.at(setup, workload).of(claim.figure()).median())
                && !Double.isNaN(comparison.at(rival, workload).of(claim.figure()).median());
    }

    private Finding finding(Claim claim, Workload workload, Setup setup, Setup rival) {
        Spread own = comparison.at(setup, workload).of(claim.figure());
        Spread other = comparison.at(rival, workload).of(claim.figure());
        int less = own.isBelow(other) ? 1 : other.isBelow(own) ? -1 : 0;
        return new Finding(claim.isOfMore() ? -less : less, own.median() / other.median(), setup + ", " + workload);
    }

    private String winner(Workload workload) {
        List<Setup> measured = comparison.measured(workload)
                .sorted(Comparator.comparingDouble(setup -> -throughput(setup, workload).median())).toList();
        if (measured.size() < 2) {
            return "not compared";
        }
        Spread best = throughput(measured.get(0), workload);
        List<Setup> others = measured.stream().skip(1).filter(setup -> best.isLike(throughput(setup, workload)))
                .toList();
        if (others.isEmpty()) {
            return String.format(Locale.ROOT, "%s, x%.2f of the next", measured.get(0),
                    best.median() / throughput(measured.get(1), workload).median());
        }
        return "not decided between " + measured.get(0) + " and " + others.get(0)
                + (others.size() == 1 ? "" : ", and " + (others.size() - 1) + " more");
    }

    private Spread throughput(Setup setup, Workload workload) {
        return comparison.at(setup, workload).of(Figure.REQUESTS_PER_SECOND);
    }
}
