package dev.sluice.samples;

import dev.sluice.handle.SystemCallException;
import dev.sluice.samples.compare.CompareCommand;
import dev.sluice.samples.dns.DnsCommand;
import dev.sluice.samples.doctor.DoctorCommand;
import dev.sluice.samples.echo.EchoCommand;
import dev.sluice.samples.gnutella.GnutellaCommand;
import dev.sluice.samples.gopher.GopherCommand;
import dev.sluice.samples.haboob.HaboobCommand;
import dev.sluice.samples.hybrid.HybridCommand;
import dev.sluice.samples.levels.LevelsCommand;
import dev.sluice.samples.logging.LoggingCommand;
import dev.sluice.samples.oltp.backend.BackEndCommand;
import dev.sluice.samples.oltp.frontend.FrontEndCommand;
import dev.sluice.samples.server.FileProblem;
import dev.sluice.samples.server.OptionValues;
import dev.sluice.samples.server.StandardError;
import dev.sluice.samples.server.Surroundings;
import dev.sluice.samples.tour.TourCommand;
import dev.sluice.samples.wal.WalCommand;
import dev.sluice.samples.web.WebCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** Entry point of {@code ./sluice}. */
@Command(name = "sluice", mixinStandardHelpOptions = true, version = "Sluice 0.1.0-SNAPSHOT",
        description = "Native I/O for the JVM: the samples.",
        footer = {"", "./sluice bench and ./sluice seda run the benchmarks, and have a --help of their own."})
public final class Main implements Runnable {

    private static final int BAD_USAGE = 2;
    private static final int FAILED = 1;

    private static final List<Class<?>> SAMPLES = List.of(DoctorCommand.class, TourCommand.class, EchoCommand.class,
            LoggingCommand.class, DnsCommand.class, WebCommand.class, GopherCommand.class, HaboobCommand.class,
            BackEndCommand.class, FrontEndCommand.class, HybridCommand.class, LevelsCommand.class,
            GnutellaCommand.class, WalCommand.class, CompareCommand.class);

    @Spec
    private CommandSpec spec;

    private Main() {
    }

    /**
     * Runs a sample and exits with its code: 0 for an orderly end, 1 for a failure, 2 for a bad command line.
     *
     * @param arguments the name of the sample and its options
     */
    public static void main(String[] arguments) {
        // The comparison serves no clients, and its progress line is erased before its table is printed.
        if (!samples(arguments).equals(List.of(CompareCommand.class))) {
            StandardError.install();
        }
        speakToPrograms();
        if (isSample(arguments)) {
            HeadStart.start();
        }
        int exitCode = FAILED;
        try {
            exitCode = commandLine(arguments, Surroundings.ofProcess()).execute(arguments);
        } catch (Throwable e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        } finally {
            // Remaining threads of a failed sample would keep the process alive.
            System.exit(exitCode);
        }
    }

    /**
     * Sets the default locale to the root locale. The output is read by programs as well, and the names and numbers of
     * protocols have no locale: digits must be ASCII wherever the default format is used, as by the logger for its
     * dates. Must be called first.
     */
    public static void speakToPrograms() {
        Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
    }

    static CommandLine commandLine(String[] arguments, Surroundings surroundings) {
        CommandLine commandLine = new CommandLine(new Main(), surroundings.factory());
        samples(arguments).forEach(commandLine::addSubcommand);
        commandLine.setParameterExceptionHandler(Main::badUsage).setExecutionExceptionHandler(Main::failed);
        OptionValues.register(commandLine);
        return commandLine;
    }

    // The binding must be known before any native call.
    static boolean isSample(String[] arguments) {
        return samples(arguments).size() == 1
                && Arrays.stream(arguments).noneMatch(argument -> argument.startsWith("--native"));
    }

    // Picocli takes longer to inspect a sample than most samples take to start. All of them are needed only if the
    // command line names none: for the help, and for the suggestions after a typing error.
    private static List<Class<?>> samples(String[] arguments) {
        for (Class<?> sample : SAMPLES) {
            if (arguments.length > 0 && sample.getAnnotation(Command.class).name().equals(arguments[0])) {
                return List.of(sample);
            }
        }
        return SAMPLES;
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    // One line names the problem; a screen of usage would hide it.
    private static int badUsage(CommandLine.ParameterException problem, String[] arguments) {
        CommandLine command = problem.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        String what = problem instanceof UnmatchedArgumentException unknown
                ? new UnknownArgument(unknown).describe() : problem.getMessage();
        say(command.getErr(), name + ": " + what + " (" + name + " --help lists the options)");
        return BAD_USAGE;
    }

    private static int failed(Exception problem, CommandLine command, CommandLine.ParseResult result) throws Exception {
        if (!(problem instanceof IOException)) {
            throw problem;
        }
        say(command.getErr(), command.getCommandSpec().qualifiedName() + ": " + FileProblem.describe(problem)
                + advice(problem));
        return FAILED;
    }

    private static String advice(Exception problem) {
        boolean outOfDescriptors = problem instanceof SystemCallException call && call.errorName().equals("EMFILE");
        return outOfDescriptors ? "; raise the limit (ulimit -n), or ask for fewer threads" : "";
    }

    private static void say(PrintWriter err, String line) {
        err.println(line.replace('\n', ' '));
        err.flush();
    }
}
