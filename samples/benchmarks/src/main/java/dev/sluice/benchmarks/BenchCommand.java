package dev.sluice.benchmarks;

import dev.sluice.benchmarks.report.Charts;
import dev.sluice.benchmarks.report.Report;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Suite;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
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
@Command(name = "sluice bench", mixinStandardHelpOptions = true, version = BenchCommand.VERSION,
        description = "Measures Sluice beside its alternatives, and writes a report with tables and charts.")
final class BenchCommand implements Callable<Integer> {

    /** The exit code if something could not be measured. */
    static final int FAILED = 1;
    /** The version of the commands. */
    static final String VERSION = "Sluice 0.1.0-SNAPSHOT";
    /** The option for the directory of the results. */
    static final String OUTPUT = "--output";
    /** Its default. */
    static final String RESULTS = "bench-results";

    private static final String C_SERVERS = "SLUICE_C_SERVERS";

    private final List<Suite> all;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "SUITE", arity = "0..*", description = "Suites to measure, by the names that --list shows "
            + "(default: all).")
    private Set<String> names = new LinkedHashSet<>();

    @ArgGroup
    private Task task = new Task();

    /** The task: one of these, or by default a full measurement. */
    private static final class Task extends ScaleOptions {

        @Option(names = "--list", description = "Lists the suites, and measures nothing.")
        private boolean list;

        @Option(names = "--report-only", description = "Rewrites the report from the samples in --output, without "
                + "measuring.")
        private boolean reportOnly;

        @Option(names = "--charts-only", description = "Redraws the charts from the medians in --output, without "
                + "measuring.")
        private boolean chartsOnly;
    }

    @Option(names = OUTPUT, paramLabel = "DIR", defaultValue = RESULTS,
            description = "Directory of the samples and the report. A suite that is measured again replaces its "
                    + "earlier samples (default: ${DEFAULT-VALUE}).")
    private Path output;

    @Option(names = "--c-servers", paramLabel = "DIR", description = "Directory of echo servers in C to compare "
            + "with: the programs c_epoll and c_uring, which take a port, or their sources, which are compiled with "
            + "gcc (default: $" + C_SERVERS + ").")
    private Path serversInC;

    @Option(names = "--index-size", paramLabel = "MIB", description = "Size of the index that the suite lucene "
            + "searches, in MiB. It is kept in --output (default: 3072, and 128 with --quick).")
    private Integer indexSize;

    BenchCommand(List<Suite> all) {
        this.all = all;
    }

    @Override
    public Integer call() throws IOException {
        List<Suite> suites = suites();
        if (task.list) {
            PrintWriter out = spec.commandLine().getOut();
            suites.forEach(suite -> out.printf(Locale.ROOT, "%-12s %s%n", suite.name(), suite.summary()));
            out.flush();
            return 0;
        }
        requireDirectory(spec, output);
        if (task.reportOnly) {
            spec.commandLine().getOut().println(Report.write(output, suites));
            spec.commandLine().getOut().flush();
            return 0;
        }
        if (task.chartsOnly) {
            PrintWriter out = spec.commandLine().getOut();
            Charts.redraw(output, suites).forEach(out::println);
            out.flush();
            return 0;
        }
        Host host = host();
        Files.createDirectories(output);
        Run run = new Run(all, task.scale(), output, host, command(spec), spec.commandLine().getOut());
        boolean successful = run.measure(suites, spec.commandLine().getErr());
        return successful ? 0 : FAILED;
    }

    /** Checks that the output is a directory, if it exists. */
    static void requireDirectory(CommandSpec spec, Path output) {
        if (Files.exists(output) && !Files.isDirectory(output)) {
            throw new ParameterException(spec.commandLine(), OUTPUT + " " + output + " is not a directory");
        }
    }

    private List<Suite> suites() {
        if (names.isEmpty()) {
            return all;
        }
        return names.stream().map(this::suite).toList();
    }

    private Suite suite(String name) {
        return all.stream().filter(suite -> suite.name().equals(name)).findFirst()
                .orElseThrow(() -> new ParameterException(spec.commandLine(), "there is no suite '" + name + "'; the "
                        + "suites are " + String.join(", ", all.stream().map(Suite::name).toList())));
    }

    private Host host() {
        Host host = new Host(output.toAbsolutePath(), serversInC());
        if (indexSize == null) {
            return host;
        }
        if (indexSize < 1) {
            throw new ParameterException(spec.commandLine(), "--index-size " + indexSize + " is not positive");
        }
        return host.withIndexSize((long) indexSize << 20);
    }

    private Path serversInC() {
        String variable = System.getenv(C_SERVERS);
        Path directory = serversInC != null || variable == null || variable.isBlank() ? serversInC : Path.of(variable);
        if (directory != null && (directory.toString().isBlank() || !Files.isDirectory(directory))) {
            throw new ParameterException(spec.commandLine(), "--c-servers " + directory + " is not a directory");
        }
        return directory;
    }

    /** {@return the command line} */
    static String command(CommandSpec spec) {
        return ("./" + spec.qualifiedName() + " "
                + String.join(" ", spec.commandLine().getParseResult().originalArgs())).strip();
    }
}
