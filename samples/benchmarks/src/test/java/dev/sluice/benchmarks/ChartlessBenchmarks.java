package dev.sluice.benchmarks;

import dev.sluice.benchmarks.run.Preparation;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Section.Chart;
import dev.sluice.benchmarks.run.Suite;
import java.nio.file.Path;
import java.util.List;

/** Measures something and draws it in each way that there is, in a process whose Java may be unable to draw. */
final class ChartlessBenchmarks {

    private static final Suite SUITE = new MadeUpSuite("seda-works",
            List.of(new Section("rate", "1/s", Better.HIGHER, null, Chart.BARS)),
            (scale, host) -> new Preparation(
                    List.of(MadeUpSuite.trial("one", "first", recorder -> recorder.record("rate", 15))), 1, List.of()));

    private ChartlessBenchmarks() {
    }

    public static void main(String[] arguments) {
        String output = arguments[0];
        Path own = Path.of(output).resolveSibling("own");
        String chart = own + ".svg";
        String csv = own + ".csv";
        System.out.println("seda: " + Main.seda(List.of(SUITE)).execute("works", "--smallest", "--output", output,
                "--csv", csv, "--chart", chart));
        System.out.println("redrawn: " + Main.commandLine(List.of(SUITE)).execute("--charts-only", "--output", output));
        System.out.println("report: " + Main.commandLine(List.of(SUITE)).execute("--report-only", "--output", output));
        System.exit(0);
    }
}
