package dev.sluice.samples;

import dev.sluice.samples.server.Surroundings;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/**
 * What a command line has led to in this virtual machine: for commands that end by themselves and change nothing in it.
 * A machine of its own for each of hundreds would take minutes.
 *
 * @param exitCode what the process would have ended with
 * @param output   what it would have printed on standard output
 * @param errors   on standard error
 */
public record CommandRun(int exitCode, String output, String errors) {

    /** Runs it to its end. */
    public static CommandRun of(String... arguments) {
        StringWriter output = new StringWriter();
        StringWriter errors = new StringWriter();
        CommandLine commandLine = Main.commandLine(arguments, Surroundings.ofProcess())
                .setOut(new PrintWriter(output, true))
                .setErr(new PrintWriter(errors, true));
        int exitCode = commandLine.execute(arguments);
        return new CommandRun(exitCode, output.toString(), errors.toString());
    }
}
