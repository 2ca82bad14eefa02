package dev.sluice.samples;

import dev.sluice.samples.server.Signals;
import dev.sluice.samples.server.Surroundings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.Socket;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The training run that the launcher has Java record for its ahead-of-time cache (JEP 483): the start of samples, up to
 * their first answer. Uses {@link Main}, in this process, and ends by itself.
 */
final class Rehearsal {

    private static final List<String[]> SERVERS = List.of(
            new String[] {"echo", "--port", "0"},
            new String[] {"echo", "--port", "0", "--pattern", "proactor"});

    private static final Pattern READY = Pattern.compile("ready: .* on (.+):([0-9]+) .*");
    private static final int MESSAGES = 100;
    /** The maximum duration, since the launcher waits for the end. */
    private static final long LIMIT_MILLIS = 60_000;

    private Rehearsal() {
    }

    /**
     * Starts, uses and stops one server after the other.
     *
     * @param arguments none
     * @throws Exception if one of them does not answer as expected; no cache must be created then
     */
    public static void main(String[] arguments) throws Exception {
        Thread limit = new Thread(Rehearsal::giveUp, "rehearsal-limit");
        limit.setDaemon(true);
        limit.start();
        for (String[] server : SERVERS) {
            rehearse(server);
        }
        System.exit(0);
    }

    private static void giveUp() {
        try {
            Thread.sleep(LIMIT_MILLIS);
            Runtime.getRuntime().halt(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void rehearse(String[] server) throws IOException, InterruptedException {
        try (PipedInputStream output = new PipedInputStream();
                BufferedReader lines = new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8));
                PrintStream pipe = new PrintStream(new PipedOutputStream(output), true, StandardCharsets.UTF_8)) {
            Surroundings surroundings = new Surroundings(pipe, Channels.newChannel(pipe), Signals.OF_PROCESS);
            Thread sample = new Thread(() -> Main.commandLine(server, surroundings).execute(server), "rehearsal");
            sample.setDaemon(true);
            sample.start();
            converse(lines.readLine());
            sample.interrupt();
            sample.join();
        }
    }

    private static void converse(String line) throws IOException {
        Matcher ready = READY.matcher(line == null ? "" : line);
        if (!ready.matches()) {
            throw new IOException("a server did not start");
        }
        try (Socket socket = new Socket(ready.group(1), Integer.parseInt(ready.group(2)))) {
            for (int message = 0; message < MESSAGES; message++) {
                socket.getOutputStream().write(message);
                if (socket.getInputStream().read() != message) {
                    throw new IOException("a server gave a wrong answer");
                }
            }
        }
    }
}
