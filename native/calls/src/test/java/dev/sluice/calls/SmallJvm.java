package dev.sluice.calls;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;

/** A forked JVM, for what can be set only once per process. */
public final class SmallJvm {

    /** Begins each line that the program says; what the JVM itself prints has no such mark. */
    public static final String MARK = "=";

    private SmallJvm() {
    }

    /**
     * Runs a program to its end.
     *
     * @param main      the program
     * @param classPath directories and jars
     * @param options   such as {@code -Dname=value}
     * @return the lines that it printed after {@link #MARK}
     * @throws AssertionError if it failed, with all that it printed
     */
    public static List<String> run(Class<?> main, List<Path> classPath, String... options) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String path = classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>(Emulator.command());
        command.addAll(List.of(java, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m"));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", path, main.getName()));
        return said(new ProcessBuilder(command).redirectErrorStream(true).start(), command);
    }

    private static List<String> said(Process process, List<String> command) throws IOException, InterruptedException {
        // Also if this JVM ends first, because the test hangs.
        Thread killer = new Thread(process::destroyForcibly, "end of a small JVM");
        Runtime.getRuntime().addShutdownHook(killer);
        try {
            process.getOutputStream().close();
            // By another thread: an interrupt ends the wait for a process, but no read from one.
            FutureTask<byte[]> reader = new FutureTask<>(process.getInputStream()::readAllBytes);
            Thread reading = new Thread(reader, "output of a small JVM");
            reading.setDaemon(true);
            reading.start();
            int exit = process.waitFor();
            String output = new String(reader.get(), StandardCharsets.UTF_8);
            reading.join();
            if (exit != 0) {
                throw new AssertionError("exit " + exit + " of " + String.join(" ", command) + "\n" + output);
            }
            return output.lines().filter(line -> line.startsWith(MARK)).map(line -> line.substring(MARK.length()))
                    .toList();
        } catch (ExecutionException e) {
            throw new IOException("the output of " + String.join(" ", command) + " cannot be read", e);
        } finally {
            process.destroyForcibly();
            forget(killer);
        }
    }

    private static void forget(Thread killer) {
        try {
            Runtime.getRuntime().removeShutdownHook(killer);
        } catch (IllegalStateException e) {
            // It is running.
            return;
        }
    }
}
