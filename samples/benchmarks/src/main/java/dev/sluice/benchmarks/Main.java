package dev.sluice.benchmarks;

import dev.sluice.benchmarks.run.Suite;
import dev.sluice.samples.UnknownArgument;
import dev.sluice.samples.server.FileProblem;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.UnmatchedArgumentException;

/** Entry point of {@code ./sluice bench} and {@code ./sluice seda}. */
public final class Main {

    private static final String BENCH = "bench";
    private static final String SEDA = "seda";
    private static final int BAD_USAGE = 2;
    private static final int FAILED = 1;

    private Main() {
    }

    /**
     * Measures, and exits with 0 when everything was measured, 1 after a failure, 2 for a bad command line.
     *
     * @param arguments {@code bench}, the default, or {@code seda}, and its arguments
     */
    public static void main(String[] arguments) {
        dev.sluice.samples.Main.speakToPrograms();
        String command = arguments.length == 0 ? "" : arguments[0];
        boolean isNamed = command.equals(BENCH) || command.equals(SEDA);
        String[] own = isNamed ? Arrays.copyOfRange(arguments, 1, arguments.length) : arguments;
        System.exit((command.equals(SEDA) ? seda(Suites.ALL) : commandLine(Suites.ALL)).execute(own));
    }

    /**
     * {@return the command line of {@code ./sluice bench}}
     *
     * @param suites the available suites
     */
    static CommandLine commandLine(List<Suite> suites) {
        return commandLine(new BenchCommand(suites));
    }

    /**
     * {@return the command line of {@code ./sluice seda}}
     *
     * @param suites the available suites
     */
    static CommandLine seda(List<Suite> suites) {
        return commandLine(new SedaCommand(suites));
    }

    private static CommandLine commandLine(Object command) {
        return new CommandLine(command)
                .setParameterExceptionHandler(Main::badUsage)
                .setExecutionExceptionHandler(Main::failed);
    }

    private static int badUsage(CommandLine.ParameterException problem, String[] arguments) {
        String what = problem instanceof UnmatchedArgumentException unknown
                ? new UnknownArgument(unknown).describe() : problem.getMessage();
        say(problem.getCommandLine(), what + " (" + name(problem.getCommandLine())
                + " --help lists the options)");
        return BAD_USAGE;
    }

    private static int failed(Exception problem, CommandLine command, CommandLine.ParseResult result) throws Exception {
        if (!(problem instanceof IOException)) {
            throw problem;
        }
        say(command, FileProblem.describe(problem));
        return FAILED;
    }

    private static void say(CommandLine command, String line) {
        PrintWriter err = command.getErr();
        err.println(name(command) + ": " + line.replace('\n', ' '));
        err.flush();
    }

    private static String name(CommandLine command) {
        return command.getCommandSpec().qualifiedName();
    }
}
