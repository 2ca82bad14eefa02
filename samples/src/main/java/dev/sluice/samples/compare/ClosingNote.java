package dev.sluice.samples.compare;

import static dev.sluice.samples.concurrency.ConcurrencyModel.HALF_SYNC_HALF_ASYNC;
import static dev.sluice.samples.concurrency.ConcurrencyModel.LEADER_FOLLOWERS;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Where the claims of the Leader/Followers paper (section 13: fewer context switches and allocations than
 * Half-Sync/Half-Async, and therefore less latency) hold in what was measured, and where they do not.
 */
final class ClosingNote {

    /** Two figures that are closer than this count as equal. */
    private static final double TOLERANCE = 0.05;

    private record Finding(double ratio, String where) {
    }

    private final Comparison comparison;

    ClosingNote(Comparison comparison) {
        this.comparison = comparison;
    }

    /** {@return a heading and five lines} */
    List<String> lines() {
        int most = comparison.workloads().stream().mapToInt(Workload::connections).max().orElse(0);
        return List.of(
                "Leader-followers as a multiple of half-sync-half-async on the same handle set:",
                "fewer context switches: " + verdict(Measurement::switchesPerRequest),
                "fewer bytes allocated: " + verdict(Measurement::bytesPerRequest),
                "lower median latency: " + verdict(figures -> figures.latencyMicros(50)),
                "lower 99th percentile: " + verdict(figures -> figures.latencyMicros(99)),
                "most requests per second with " + most + " connections: " + comparison.workloads().stream()
                        .filter(workload -> workload.connections() == most).map(this::winner)
                        .collect(Collectors.joining("; ")));
    }

    private String verdict(ToDoubleFunction<Measurement> figure) {
        List<Finding> findings = findings(figure);
        if (findings.isEmpty()) {
            return "not compared";
        }
        long less = findings.stream().filter(finding -> finding.ratio < 1 - TOLERANCE).count();
        long more = findings.stream().filter(finding -> finding.ratio > 1 + TOLERANCE).count();
        Finding lowest = findings.get(0);
        Finding highest = findings.get(findings.size() - 1);
        return String.format(Locale.ROOT, "holds in %d of %d rows, the opposite in %d; median x%.2f, from x%.2f (%s)"
                        + " to x%.2f (%s)", less, findings.size(), more, findings.get(findings.size() / 2).ratio,
                lowest.ratio, lowest.where, highest.ratio, highest.where);
    }

    /** {@return how many times the rival's figure it is, ascending} */
    private List<Finding> findings(ToDoubleFunction<Measurement> figure) {
        List<Finding> findings = new ArrayList<>();
        for (Workload workload : comparison.workloads()) {
            comparison.measured(workload).filter(setup -> setup.model() == LEADER_FOLLOWERS).forEach(setup ->
                    comparison.rival(HALF_SYNC_HALF_ASYNC, setup, workload).ifPresent(rival -> findings.add(new Finding(
                            figure.applyAsDouble(comparison.at(setup, workload)) / figure.applyAsDouble(rival),
                            setup.demultiplexer() + ", " + workload))));
        }
        findings.sort(Comparator.comparingDouble(Finding::ratio));
        return findings;
    }

    private String winner(Workload workload) {
        return workload.cpuMicros() + " us " + comparison.measured(workload)
                .max(Comparator.comparingDouble(setup -> comparison.at(setup, workload).requestsPerSecond()))
                .map(Setup::toString).orElse("not compared");
    }
}
