package dev.sluice.benchmarks;

import dev.sluice.benchmarks.report.Report;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Results;
import dev.sluice.benchmarks.run.RunDescription;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Session;
import dev.sluice.benchmarks.run.Suite;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice bench}. */
@Command(name = "sluice bench", mixinStandardHelpOptions = true,
        description = "Measures Sluice beside what one would use instead, and writes a report with tables and charts.")
final class BenchCommand implements Callable<Integer> {

    private static final int FAILED = 1;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "SUITE", arity = "0..*", description = "Only these of --list (default: all).")
    private List<String> names = List.of();

    @ArgGroup
    private Length length = new Length();

    /** How much is measured: one of them. */
    static final class Length {

        @Option(names = "--quick", description = "All tables within ten minutes, from fewer points and rounds.")
        private boolean quick;

        @Option(names = "--smallest", description = "Everything once, as short as can be: shows that it works, and "
                + "nothing of how fast anything is.")
        private boolean smallest;

        Scale scale() {
            if (smallest) {
                return Scale.SMALLEST;
            }
            return quick ? Scale.QUICK : Scale.FULL;
        }
    }

    @Option(names = "--list", description = "Says what there is to measure, and measures nothing.")
    private boolean list;

    @Option(names = "--output", paramLabel = "DIR", defaultValue = "bench-results",
            description = "Where the samples and the report go (default: ${DEFAULT-VALUE}).")
    private Path output;

    @Option(names = "--report-only", description = "Writes the report of the samples in --output anew, and measures "
            + "nothing.")
    private boolean reportOnly;

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<Suite> suites = suites();
        if (list) {
            PrintWriter out = spec.commandLine().getOut();
            suites.forEach(suite -> out.printf("%-12s %s%n", suite.name(), suite.summary()));
            out.flush();
            return 0;
        }
        Files.createDirectories(output);
        if (reportOnly) {
            print(Report.write(output, suites));
            return 0;
        }
        return measure(suites);
    }

    private List<Suite> suites() {
        if (names.isEmpty()) {
            return Suites.ALL;
        }
        List<Suite> suites = new ArrayList<>();
        for (String name : names) {
            suites.add(Suites.named(name).orElseThrow(() -> new ParameterException(spec.commandLine(),
                    "there is no suite '" + name + "': there are "
                            + String.join(", ", Suites.ALL.stream().map(Suite::name).toList()))));
        }
        return suites;
    }

    private int measure(List<Suite> suites) throws IOException, InterruptedException {
        Host host = new Host(output.toAbsolutePath());
        Interruption interruption = Interruption.listen(host);
        try (Results results = Results.create(output)) {
            Session session = new Session(length.scale(), host, results, spec.commandLine().getErr());
            session.run(suites);
            RunDescription.of(command(), length.scale(), session).write(output);
            print(Report.write(output, suites));
            return session.failures().isEmpty() ? 0 : FAILED;
        } finally {
            interruption.close();
        }
    }

    private String command() {
        return String.join(" ", "./" + spec.qualifiedName(), String.join(" ", spec.commandLine().getParseResult()
                .originalArgs())).strip();
    }

    private void print(Path report) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(report);
        out.flush();
    }
}
