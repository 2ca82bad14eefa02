package dev.sluice.samples.compare;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A {@link MeasuredServer}, as seen from outside. */
final class ServerProcess implements Closeable {

    /** In the line that every sample begins with. */
    private static final Pattern PORT = Pattern.compile(":(\\d+) \\(");
    private static final String MAIN = MeasuredServer.class.getName();
    private static final String SHELL = "/bin/sh";
    // A terminal sends its signals to all processes in the foreground. The comparison decides when the servers end;
    // signals ignored by the shell stay ignored in the program that replaces it.
    private static final List<String> IGNORING_SIGNALS = Files.exists(Path.of(SHELL))
            ? List.of(SHELL, "-c", "trap '' INT TERM; exec \"$@\"", "sh") : List.of();

    private final Process process;
    private final BufferedReader answers;
    private final PrintWriter questions;
    private final SocketAddress address;

    private ServerProcess(Process process) throws IOException {
        this.process = process;
        this.answers = process.inputReader(StandardCharsets.UTF_8);
        this.questions = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8));
        try {
            this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port(answer()));
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Starts one on the Java that runs here and with its options, and waits until it accepts.
     *
     * @param setup        what it consists of
     * @param interruption may end it
     */
    static ServerProcess start(Setup setup, Interruption interruption) throws IOException {
        List<String> command = new ArrayList<>(IGNORING_SIGNALS);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (!option.startsWith("-Djdk.module.main=")) {
                command.add(option);
            }
        }
        // The context switches of a compiler thread that ends would be lost.
        command.add("-XX:-UseDynamicNumberOfCompilerThreads");
        if (MeasuredServer.class.getModule().isNamed()) {
            command.addAll(List.of("-m", MeasuredServer.class.getModule().getName() + "/" + MAIN));
        } else {
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN));
        }
        command.addAll(List.of("--port", "0", "--demultiplexer", setup.demultiplexer(), "--"));
        command.addAll(setup.words());
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        interruption.guard(process);
        return new ServerProcess(process);
    }

    private static int port(String readyLine) throws IOException {
        Matcher matcher = PORT.matcher(readyLine);
        if (!matcher.find()) {
            throw new IOException("the server has begun with '" + readyLine + "'");
        }
        return Integer.parseInt(matcher.group(1));
    }

    private String answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new EOFException("the server has ended by itself");
        }
        return line;
    }

    SocketAddress address() {
        return address;
    }

    ServerFigures figures() throws IOException {
        questions.println();
        questions.flush();
        return ServerFigures.parse(answer());
    }

    /** Ends it at once, and waits for that. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
