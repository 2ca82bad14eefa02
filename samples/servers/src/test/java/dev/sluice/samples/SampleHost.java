package dev.sluice.samples;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * A process that runs any number of samples, one after the other or at once, for tests that need another Java, another
 * binding or another heap. {@link HostedSamples} obeys the lines that it writes.
 */
public final class SampleHost implements AutoCloseable {

    private final Process process;
    private final PrintStream commands;
    private final Map<Integer, Hosted> running = new ConcurrentHashMap<>();
    private final AtomicInteger next = new AtomicInteger();
    private final Thread lastResort;

    private SampleHost(Process process) {
        this.process = process;
        this.commands = new PrintStream(process.getOutputStream(), true, UTF_8);
        // A build that is broken off in the middle leaves no process behind.
        this.lastResort = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(lastResort);
        Thread reader = new Thread(this::read, "reports of a host");
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a host with options of its Java. */
    public static SampleHost start(JavaHome java, String... options) throws IOException {
        return new SampleHost(new ProcessBuilder(SampleCommand.of().on(java).withMain(HostedSamples.class.getName())
                .withOptions(options).words()).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    /** Starts a host of the packaged samples: they are modules, as those that the launcher starts. */
    public static SampleHost startPackaged(Path directory) throws IOException {
        return new SampleHost(new ProcessBuilder(SampleCommand.ofModules(HostedSamples.class))
                .directory(directory.toFile()).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    /** Starts a sample. */
    public RunningSample run(String... arguments) {
        int number = next.incrementAndGet();
        Hosted sample = new Hosted(number);
        running.put(number, sample);
        command("start", number, Arrays.stream(arguments).map(HostedSamples::encode).collect(Collectors.joining(" ")));
        return sample;
    }

    private synchronized void command(String what, int number, String rest) {
        commands.println(what + " " + number + " " + rest);
    }

    private void read() {
        try (BufferedReader reports = process.inputReader(UTF_8)) {
            for (String line = reports.readLine(); line != null; line = reports.readLine()) {
                String[] words = line.split(" ", 3);
                running.get(Integer.parseInt(words[0])).take(words[1], words[2]);
            }
        } catch (IOException e) {
            // The process has been ended while it was being read: the same as the end of the stream.
        } finally {
            running.values().forEach(each -> each.end.completeExceptionally(new IOException("its host has ended")));
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        Runtime.getRuntime().removeShutdownHook(lastResort);
    }

    /** A sample of the process. */
    private final class Hosted implements RunningSample {

        private final int number;
        private final CapturedOutput output = new CapturedOutput(Patience.LIMIT);
        private final CapturedOutput errors = new CapturedOutput(Patience.LIMIT);
        private final CompletableFuture<Integer> end = new CompletableFuture<>();
        private boolean closed;

        Hosted(int number) {
            this.number = number;
        }

        void take(String what, String text) {
            byte[] octets = Base64.getDecoder().decode(text);
            switch (what) {
                case HostedSamples.OUTPUT -> output.add(octets, 0, octets.length);
                case HostedSamples.ERRORS -> errors.add(octets, 0, octets.length);
                case HostedSamples.EXIT -> {
                    output.end();
                    errors.end();
                    end.complete(Integer.valueOf(new String(octets, UTF_8)));
                }
                default -> end.completeExceptionally(new AssertionError(new String(octets, UTF_8)));
            }
        }

        @Override
        public CapturedOutput output() {
            return output;
        }

        @Override
        public CapturedOutput errors() {
            return errors;
        }

        @Override
        public ProcessFigures figures() {
            return new ProcessFigures(process.toHandle());
        }

        @Override
        public boolean isAlive() {
            return !end.isDone();
        }

        @Override
        public void signal(String name) {
            command("signal", number, name);
        }

        @Override
        public void terminate() {
            signal("TERM");
        }

        @Override
        public void interrupt() {
            signal("INT");
        }

        @Override
        public void hangUp() {
            signal("HUP");
        }

        @Override
        public int awaitExit() throws InterruptedException {
            try {
                return end.get(2 * Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new AssertionError(errors.text(), e);
            }
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                command("close", number, "");
                try {
                    awaitExit();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                running.remove(number);
            }
        }
    }
}
