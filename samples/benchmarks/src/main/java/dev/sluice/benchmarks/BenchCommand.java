package dev.sluice.benchmarks;

import dev.sluice.benchmarks.report.Report;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Suite;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice bench}. */
@Command(name = "sluice bench", mixinStandardHelpOptions = true, version = "Sluice 0.1.0-SNAPSHOT",
        description = "Measures Sluice beside what one would use instead, and writes a report with tables and charts.")
final class BenchCommand implements Callable<Integer> {

    private static final int FAILED = 1;
    private static final String C_SERVERS = "SLUICE_C_SERVERS";

    private final List<Suite> all;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "SUITE", arity = "0..*", description = "Only these of --list (default: all).")
    private Set<String> names = new LinkedHashSet<>();

    @ArgGroup
    private Task task = new Task();

    /** What is done: one of them, or else everything is measured at length. */
    private static final class Task {

        @Option(names = "--quick", description = "All tables within ten minutes, from fewer points and rounds.")
        private boolean quick;

        @Option(names = "--smallest", description = "Everything once, as short as can be: shows that it works, and "
                + "nothing of how fast anything is.")
        private boolean smallest;

        @Option(names = "--list", description = "Says what there is to measure, and measures nothing.")
        private boolean list;

        @Option(names = "--report-only", description = "Writes the report of the samples in --output anew, and "
                + "measures nothing.")
        private boolean reportOnly;

        Scale scale() {
            if (smallest) {
                return Scale.SMALLEST;
            }
            return quick ? Scale.QUICK : Scale.FULL;
        }
    }

    @Option(names = "--output", paramLabel = "DIR", defaultValue = "bench-results",
            description = "Where the samples and the report go; of a suite that is measured again, the new samples "
                    + "replace those there, and the others stay (default: ${DEFAULT-VALUE}).")
    private Path output;

    @Option(names = "--c-servers", paramLabel = "DIR", description = "Where echo servers written in C are, to compare "
            + "with: programs c_epoll and c_uring, which take a port, or their sources, which gcc then compiles "
            + "(default: $" + C_SERVERS + ").")
    private Path serversInC;

    BenchCommand(List<Suite> all) {
        this.all = all;
    }

    @Override
    public Integer call() throws IOException {
        List<Suite> suites = suites();
        if (task.list) {
            PrintWriter out = spec.commandLine().getOut();
            suites.forEach(suite -> out.printf("%-12s %s%n", suite.name(), suite.summary()));
            out.flush();
            return 0;
        }
        if (Files.exists(output) && !Files.isDirectory(output)) {
            throw new ParameterException(spec.commandLine(), "--output " + output + " is no directory");
        }
        if (task.reportOnly) {
            spec.commandLine().getOut().println(Report.write(output, suites));
            spec.commandLine().getOut().flush();
            return 0;
        }
        Files.createDirectories(output);
        Run run = new Run(all, task.scale(), output, serversInC(), command(), spec.commandLine().getOut());
        boolean successful = run.measure(suites, spec.commandLine().getErr());
        return successful ? 0 : FAILED;
    }

    private List<Suite> suites() {
        if (names.isEmpty()) {
            return all;
        }
        return names.stream().map(this::suite).toList();
    }

    private Suite suite(String name) {
        return all.stream().filter(suite -> suite.name().equals(name)).findFirst()
                .orElseThrow(() -> new ParameterException(spec.commandLine(), "there is no suite '" + name
                        + "'; there is " + String.join(", ", all.stream().map(Suite::name).toList())));
    }

    private Path serversInC() {
        String variable = System.getenv(C_SERVERS);
        Path directory = serversInC != null || variable == null || variable.isBlank() ? serversInC : Path.of(variable);
        if (directory != null && (directory.toString().isBlank() || !Files.isDirectory(directory))) {
            throw new ParameterException(spec.commandLine(), "--c-servers " + directory + " is no directory");
        }
        return directory;
    }

    private String command() {
        return ("./" + spec.qualifiedName() + " "
                + String.join(" ", spec.commandLine().getParseResult().originalArgs())).strip();
    }
}
