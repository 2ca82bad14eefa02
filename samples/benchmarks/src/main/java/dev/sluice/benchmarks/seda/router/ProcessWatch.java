package dev.sluice.benchmarks.seda.router;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** Samples the number of threads of one kind that a process has, from proc(5). */
final class ProcessWatch extends Watch {

    private static final Duration BETWEEN = Duration.ofMillis(50);

    private final Path process;
    private final Pattern kind;
    private long threads;
    private long looks;

    private ProcessWatch(Path process, Pattern kind, Duration wait, Duration time) {
        super("watch", wait, time);
        this.process = process;
        this.kind = kind;
    }

    /**
     * Begins to look.
     *
     * @param process its number
     * @param kind    what the names of its threads are to contain, as far as the system keeps them
     * @param wait    until what is seen counts
     * @param time    for how long it counts
     * @return to be closed by the caller
     */
    static ProcessWatch begin(long process, Pattern kind, Duration wait, Duration time) {
        ProcessWatch watch = new ProcessWatch(Path.of("/proc", Long.toString(process)), kind, wait, time);
        watch.begin();
        return watch;
    }

    @Override
    void watch() {
        try {
            awaitBeginning();
            while (!isOver() && Files.exists(process)) {
                look();
                Thread.sleep(BETWEEN);
            }
        } catch (IOException | InterruptedException e) {
            // The process has ended, which the load generator notices: there is nothing more to be seen.
        }
    }

    private void look() throws IOException {
        long now = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(process.resolve("task"))) {
            for (Path task : tasks) {
                now += kind.matcher(name(task)).find() ? 1 : 0;
            }
        }
        threads += now;
        looks++;
    }

    /** {@return empty if it has ended meanwhile} */
    private static String name(Path task) {
        try {
            return Files.readString(task.resolve("comm")).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /** {@return how many threads of the kind there were on average; after the close} */
    OptionalDouble threads() {
        return looks == 0 ? OptionalDouble.empty() : OptionalDouble.of(threads / (double) looks);
    }
}
