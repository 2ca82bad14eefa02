package dev.sluice.benchmarks.seda.today;

import dev.sluice.benchmarks.run.Host;
import dev.sluice.samples.haboob.Bottleneck;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Finds out how often a page has to read its file to take a given time on the processor of the servers. */
public final class Rounds {

    private static final int PROCESSOR = 0;
    private static final int STEP = 16;

    private Rounds() {
    }

    /**
     * {@return the number of rounds}
     *
     * @param host the host to run on
     * @param cost the time
     * @param time how long to find out
     * @throws IOException if that fails
     */
    static int in(Host host, Duration cost, Duration time) throws IOException {
        Path log = host.directory().resolve("seda-today-rounds.log");
        Process process = host.start(new ProcessBuilder(host.pinned(PROCESSOR, host.java(List.of(),
                Rounds.class, Long.toString(cost.toNanos()), Long.toString(time.toNanos()))))
                .redirectError(Redirect.to(log.toFile())));
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            String line = out.readLine();
            if (line == null) {
                throw new IOException("the cost of a page is unknown; see " + log);
            }
            // It deletes its file before it ends.
            process.onExit().join();
            return Integer.parseInt(line);
        } finally {
            process.destroyForcibly();
        }
    }

    /**
     * Prints the number.
     *
     * @param arguments the cost of a page and the time to find out, in nanoseconds
     * @throws IOException          if the file cannot be used
     * @throws InterruptedException never, as nothing waits
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        long cost = Long.parseLong(arguments[0]);
        long time = Long.parseLong(arguments[1]);
        try (Bottleneck page = new Bottleneck(new Bottleneck.Work(Duration.ZERO, STEP, Duration.ZERO))) {
            pages(page, time / 2);
            double nanos = pages(page, time / 2);
            System.out.println(Math.max(1, Math.round(cost / nanos * STEP)));
        }
    }

    /** {@return the nanoseconds that a page takes} */
    private static double pages(Bottleneck page, long nanos) throws IOException, InterruptedException {
        long start = System.nanoTime();
        int count = 0;
        do {
            page.page();
            count++;
        } while (System.nanoTime() - start < nanos);
        return (System.nanoTime() - start) / (double) count;
    }
}
