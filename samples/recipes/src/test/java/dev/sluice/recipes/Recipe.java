package dev.sluice.recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.Patience;
import dev.sluice.samples.SampleProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A program that the tests start as its users do.
 *
 * @param program  has a {@code main}
 * @param exitCode of a process that has been asked to stop, and has stopped in order
 */
public record Recipe(Class<?> program, int exitCode) {

    /** Of a JVM that SIGTERM ends, whatever its shutdown hooks do meanwhile. */
    private static final int TERMINATED = 128 + SampleProcess.SIGTERM;

    /** {@return a program that handles SIGTERM itself} */
    public static Recipe of(Class<?> program) {
        return new Recipe(program, 0);
    }

    /** {@return a program with a shutdown hook} */
    public static Recipe withShutdownHook(Class<?> program) {
        return new Recipe(program, TERMINATED);
    }

    /** {@return a process to be started} Its standard input is empty unless that is changed. */
    public ProcessBuilder process(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(Arrays.asList(arguments));
        return new ProcessBuilder(command);
    }

    /** Starts one that listens, and waits until it does. */
    public SampleProcess listening(InetSocketAddress address, String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of(Integer.toString(address.getPort())));
        all.addAll(Arrays.asList(arguments));
        return listening(process(all.toArray(String[]::new)), address);
    }

    /** Starts one that listens, in a shell that has executed a command before, and waits until it does. */
    SampleProcess listening(String command, InetSocketAddress address) throws Exception {
        return listening(processAfter(command, Integer.toString(address.getPort())), address);
    }

    /** {@return a process to be started by a shell that has executed a command before} */
    ProcessBuilder processAfter(String command, String... arguments) {
        ProcessBuilder own = process(arguments);
        own.command().addAll(0, List.of("sh", "-c", command + " && exec \"$@\"", "sh"));
        return own;
    }

    private SampleProcess listening(ProcessBuilder builder, InetSocketAddress address) throws Exception {
        SampleProcess process = SampleProcess.start(builder);
        try {
            Patience.until(program.getSimpleName() + " listens", () -> !process.isAlive() || accepts(address));
            return process;
        } catch (Throwable e) {
            process.close();
            throw e;
        }
    }

    /** Waits until one that has been asked to stop has ended. */
    public void awaitStop(SampleProcess process) throws InterruptedException {
        assertEquals(exitCode, process.awaitExit(), process.errors()::text);
    }

    /** {@return whether a connection is accepted there} */
    public static boolean accepts(InetSocketAddress address) {
        try (Socket socket = new Socket()) {
            socket.connect(address);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
