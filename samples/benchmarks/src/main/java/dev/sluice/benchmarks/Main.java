package dev.sluice.benchmarks;

import dev.sluice.benchmarks.run.Suite;
import dev.sluice.samples.UnknownArgument;
import dev.sluice.samples.server.FileProblem;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.UnmatchedArgumentException;

/** Entry point of {@code ./sluice bench}. */
public final class Main {

    private static final int BAD_USAGE = 2;
    private static final int FAILED = 1;

    private Main() {
    }

    /**
     * Measures, and exits with 0 when everything was measured, 1 after a failure, 2 for a bad command line.
     *
     * @param arguments suites and options
     */
    public static void main(String[] arguments) {
        System.exit(commandLine(Suites.ALL).execute(arguments));
    }

    /**
     * {@return the command line}
     *
     * @param suites that there are
     */
    static CommandLine commandLine(List<Suite> suites) {
        return new CommandLine(new BenchCommand(suites))
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
