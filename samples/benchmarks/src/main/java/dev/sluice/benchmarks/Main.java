package dev.sluice.benchmarks;

import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine;

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
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new BenchCommand())
                .setParameterExceptionHandler(Main::badUsage)
                .setExecutionExceptionHandler(Main::failed);
    }

    private static int badUsage(CommandLine.ParameterException problem, String[] arguments) {
        say(problem.getCommandLine(), problem.getMessage() + " (" + name(problem.getCommandLine())
                + " --help lists the options)");
        return BAD_USAGE;
    }

    private static int failed(Exception problem, CommandLine command, CommandLine.ParseResult result) throws Exception {
        if (!(problem instanceof IOException)) {
            throw problem;
        }
        say(command, problem.getMessage());
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
