package dev.sluice.samples;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a program said that others wrote, run from its start to its end.
 *
 * @param exitCode how it ended
 * @param output   what it wrote to standard output
 * @param errors   what it wrote to standard error
 */
public record ExternalProgram(int exitCode, byte[] output, String errors) {

    /** What is done with the standard output of a program that writes too much to keep. */
    @FunctionalInterface
    public interface Reading {
        /** Reads to the end. */
        byte[] read(InputStream output) throws Exception;
    }

    public static ExternalProgram run(List<String> command) throws Exception {
        return run(command, InputStream::readAllBytes);
    }

    /** Runs a program; the test is skipped where it is missing. */
    public static ExternalProgram run(List<String> command, Reading reading) throws Exception {
        String name = command.get(0);
        assumeTrue(Programs.has(name), "no " + name + " here");
        Process process = new ProcessBuilder(command).start();
        try {
            process.getOutputStream().close();
            Background<byte[]> output = Background.run(() -> reading.read(process.getInputStream()));
            Background<byte[]> errors = Background.run(() -> process.getErrorStream().readAllBytes());
            if (!process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                fail(command + " is still running after " + Patience.LIMIT);
            }
            return new ExternalProgram(process.exitValue(), output.result(),
                    new String(errors.result(), StandardCharsets.UTF_8));
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
    }

    public String text() {
        return new String(output, StandardCharsets.UTF_8);
    }
}
