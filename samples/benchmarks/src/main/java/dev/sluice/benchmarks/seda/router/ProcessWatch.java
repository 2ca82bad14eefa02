package dev.sluice.benchmarks.seda.router;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** Looks now and then at the threads of one kind that a process has, as proc(5) tells of them. */
final class ProcessWatch implements Closeable {

    private static final Duration BETWEEN = Duration.ofMillis(50);

    private final Path process;
    private final Pattern kind;
    private final long from;
    private final long until;
    private final Thread thread;
    private volatile boolean closed;
    private long threads;
    private long looks;

    private ProcessWatch(Path process, Pattern kind, Duration wait, Duration time) {
        this.process = process;
        this.kind = kind;
        from = System.nanoTime() + wait.toNanos();
        until = from + time.toNanos();
        thread = Thread.ofPlatform().name("watch").daemon().unstarted(this::watch);
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
        watch.thread.start();
        return watch;
    }

    private void watch() {
        try {
            while (!closed && Files.exists(process) && until - System.nanoTime() > 0) {
                if (System.nanoTime() - from >= 0) {
                    look();
                }
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

    /** Looks no more. */
    @Override
    public void close() {
        closed = true;
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@return how many threads of the kind there were on average; after the close} */
    OptionalDouble threads() {
        return looks == 0 ? OptionalDouble.empty() : OptionalDouble.of(threads / (double) looks);
    }
}
