package dev.sluice.benchmarks;

import dev.sluice.benchmarks.report.Printout;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Sized;
import dev.sluice.benchmarks.run.Suite;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice seda}: one of the suites whose names begin with {@code seda-}. */
@Command(name = "sluice seda", mixinStandardHelpOptions = true, version = BenchCommand.VERSION,
        description = "Runs one of the SEDA paper's experiments, and prints the results. The results are added to the "
                + "benchmarks' report, too.")
final class SedaCommand implements Callable<Integer> {

    /** How the names of its suites begin. */
    static final String PREFIX = "seda-";

    private static final String LOAD = "--load";

    private final List<Suite> all;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "EXPERIMENT", arity = "0..1", description = "The experiment; without one, all "
            + "are listed.")
    private String name;

    @ArgGroup
    private ScaleOptions scale = new ScaleOptions();

    @Option(names = "--csv", paramLabel = "FILE", description = "File for every value that was measured.")
    private Path csv;

    @Option(names = "--chart", paramLabel = "FILE", description = "File for the chart, as SVG.")
    private Path chart;

    @Option(names = LOAD, paramLabel = "N", description = "For web: serves the files that SPECweb99 prescribes for "
            + "this number of connections.")
    private Integer load;

    @Option(names = BenchCommand.OUTPUT, paramLabel = "DIR", defaultValue = BenchCommand.RESULTS,
            description = "Directory of the samples and the benchmarks' report (default: ${DEFAULT-VALUE}).")
    private Path output;

    SedaCommand(List<Suite> all) {
        this.all = all;
    }

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (name == null) {
            experiments().forEach(suite -> out.printf(Locale.ROOT, "%-12s %s%n", experiment(suite), suite.summary()));
            out.flush();
            return 0;
        }
        Suite suite = sized(suite());
        BenchCommand.requireDirectory(spec, output);
        requireFile("--csv", csv);
        requireFile("--chart", chart);
        Files.createDirectories(output);
        PrintWriter err = spec.commandLine().getErr();
        Run run = new Run(all, scale.scale(), output, new Host(output.toAbsolutePath()), BenchCommand.command(spec),
                err);
        boolean successful = run.measure(List.of(suite), err);
        Printout printout = Printout.read(output, suite);
        printout.print(out);
        if (csv != null) {
            printout.writeCsv(csv);
        }
        if (chart != null) {
            printout.writeChart(chart);
        }
        return successful ? 0 : BenchCommand.FAILED;
    }

    private List<Suite> experiments() {
        return all.stream().filter(suite -> suite.name().startsWith(PREFIX)).toList();
    }

    private static String experiment(Suite suite) {
        return suite.name().substring(PREFIX.length());
    }

    private Suite suite() {
        return experiments().stream().filter(suite -> experiment(suite).equals(name)).findFirst()
                .orElseThrow(() -> new ParameterException(spec.commandLine(), "there is no experiment '" + name + "'; "
                        + "the experiments are " + experiments().stream().map(SedaCommand::experiment)
                                .collect(Collectors.joining(", "))));
    }

    private Suite sized(Suite suite) {
        if (load == null) {
            return suite;
        }
        if (!(suite instanceof Sized sized)) {
            throw new ParameterException(spec.commandLine(), LOAD + " is not an option of " + name);
        }
        if (load < Sized.MIN_LOAD || load > sized.maxLoad()) {
            throw new ParameterException(spec.commandLine(), LOAD + " must be " + Sized.MIN_LOAD + " to "
                    + sized.maxLoad() + ", not " + load);
        }
        return sized.of(load);
    }

    /** Checks in advance that a file can be written. */
    private void requireFile(String option, Path file) {
        if (file == null) {
            return;
        }
        if (file.toString().isBlank()) {
            throw new ParameterException(spec.commandLine(), option + " is given without a value");
        }
        if (Files.isDirectory(file)) {
            throw new ParameterException(spec.commandLine(), option + " " + file + " is a directory");
        }
        Path directory = file.toAbsolutePath().getParent();
        if (!Files.isDirectory(directory) || !Files.isWritable(Files.exists(file) ? file : directory)) {
            throw new ParameterException(spec.commandLine(), option + " " + file + " cannot be written");
        }
    }
}
