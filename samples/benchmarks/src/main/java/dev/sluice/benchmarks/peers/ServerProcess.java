package dev.sluice.benchmarks.peers;

import dev.sluice.benchmarks.run.Host;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A server that is measured: a process on a processor of its own, where there are two. It ends with its input. */
public final class ServerProcess implements Closeable {

    private static final int PROCESSOR = 0;
    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final Duration LONGEST_END = Duration.ofSeconds(2);
    private static final int MILLIS_BETWEEN_LOOKS = 10;
    // What a shell starts in the background has no input of its own, and ends when that of the shell does.
    private static final List<String> UNTIL_INPUT_ENDS = List.of("/bin/sh", "-c",
            "\"$@\" & server=$!; read end; kill \"$server\"; wait \"$server\"", "sh");

    private final Process process;
    private final Optional<TemporaryFiles> temporary;
    private final int port;

    private ServerProcess(Process process, Optional<TemporaryFiles> temporary, int port) {
        this.process = process;
        this.temporary = temporary;
        this.port = port;
    }

    /**
     * Starts a server in Java, without waiting until it accepts.
     *
     * @param host      the host to run on
     * @param name      of the server: that of its log
     * @param options   for the virtual machine
     * @param main      its class, which announces its port as the samples do
     * @param arguments of its main method
     * @return what to wait for; the caller closes it
     * @throws IOException if it cannot be started
     */
    public static Starting java(Host host, String name, List<String> options, Class<?> main, String... arguments)
            throws IOException {
        List<String> all = new ArrayList<>(List.of(main.getName()));
        all.addAll(List.of(arguments));
        Path log = log(host, name);
        TemporaryFiles temporary = TemporaryFiles.create(host.directory());
        List<String> allOptions = new ArrayList<>(options);
        allOptions.add(temporary.option());
        try {
            Process process = host.start(new ProcessBuilder(host.pinned(PROCESSOR,
                    host.java(allOptions, EndingWithInput.class, all.toArray(String[]::new))))
                    .redirectError(Redirect.to(log.toFile())));
            return new Starting(process, Optional.of(temporary), name, log, 0);
        } catch (Throwable e) {
            temporary.delete();
            throw e;
        }
    }

    /**
     * Starts a program that takes its port as an argument, without waiting until it accepts.
     *
     * @param host    the host to run on
     * @param name    of the server: that of its log
     * @param port    the port that it will listen on
     * @param command the program and its arguments
     * @return what to wait for; the caller closes it
     * @throws IOException if it cannot be started
     */
    public static Starting program(Host host, String name, int port, List<String> command) throws IOException {
        Path log = log(host, name);
        Process process = host.start(untilInputEnds(host, command)
                .redirectErrorStream(true).redirectOutput(Redirect.to(log.toFile())));
        return new Starting(process, Optional.empty(), name, log, port);
    }

    /**
     * Starts a program that announces its port as the samples do, without waiting until it accepts.
     *
     * @param host    the host to run on
     * @param name    of the server: that of its log
     * @param command the program and its arguments
     * @return what to wait for; the caller closes it
     * @throws IOException if it cannot be started
     */
    public static Starting announcing(Host host, String name, List<String> command) throws IOException {
        Path log = log(host, name);
        Process process = host.start(untilInputEnds(host, command).redirectError(Redirect.to(log.toFile())));
        return new Starting(process, Optional.empty(), name, log, 0);
    }

    private static ProcessBuilder untilInputEnds(Host host, List<String> command) {
        List<String> all = new ArrayList<>(UNTIL_INPUT_ENDS);
        all.addAll(command);
        return new ProcessBuilder(host.pinned(PROCESSOR, all));
    }

    private static Path log(Host host, String name) {
        return host.directory().resolve("server-" + name.replaceAll("[^A-Za-z0-9_]+", "-") + ".log");
    }

    /**
     * {@return a port of 127.0.0.1 that is free now}
     *
     * @throws IOException if there is none
     */
    public static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /**
     * A server that has been started and may not accept yet. Several of them start in less time together.
     *
     * @param process   of the server
     * @param temporary what it may leave, if it is in Java
     * @param name      of the server
     * @param log       what it writes to standard error
     * @param port      the port that it will listen on; 0 if it tells that itself
     */
    public record Starting(Process process, Optional<TemporaryFiles> temporary, String name, Path log, int port)
            implements Closeable {

        /**
         * Waits until it accepts.
         *
         * @return the server; the caller closes it instead of this
         * @throws IOException          if it does not
         * @throws InterruptedException if the thread is interrupted
         */
        public ServerProcess await() throws IOException, InterruptedException {
            try {
                if (port != 0) {
                    awaitAccepting();
                    return new ServerProcess(process, temporary, port);
                }
                // Not to be closed, or a server that says more would end.
                String line = new BufferedReader(process.inputReader(StandardCharsets.UTF_8)).readLine();
                if (line == null) {
                    throw hasEnded();
                }
                return new ServerProcess(process, temporary, Announcement.port(line));
            } catch (IOException | InterruptedException e) {
                close();
                throw e;
            }
        }

        private void awaitAccepting() throws IOException, InterruptedException {
            long began = System.nanoTime();
            while (!accepts()) {
                if (!process.isAlive()) {
                    throw hasEnded();
                }
                if (System.nanoTime() - began > LONGEST_START.toNanos()) {
                    throw new IOException(name + " does not accept within " + LONGEST_START.toSeconds() + " s; see "
                            + log);
                }
                Thread.sleep(MILLIS_BETWEEN_LOOKS);
            }
        }

        private boolean accepts() throws IOException {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                return true;
            } catch (ConnectException e) {
                return false;
            }
        }

        private IOException hasEnded() {
            return new IOException(name + " has ended by itself; see " + log);
        }

        @Override
        public void close() {
            end(process, temporary);
        }
    }

    /** {@return where it accepts, on 127.0.0.1} */
    public int port() {
        return port;
    }

    /** {@return its process, which may have children that do the work} */
    public long pid() {
        return process.pid();
    }

    /** Ends it, and waits for that. */
    @Override
    public void close() {
        end(process, temporary);
    }

    private static void end(Process process, Optional<TemporaryFiles> temporary) {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        try {
            process.getOutputStream().close();
            process.waitFor(LONGEST_END.toMillis(), TimeUnit.MILLISECONDS);
            process.getInputStream().close();
        } catch (IOException e) {
            // The process has already ended.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(each -> each.onExit().join());
        temporary.ifPresent(TemporaryFiles::delete);
    }
}
