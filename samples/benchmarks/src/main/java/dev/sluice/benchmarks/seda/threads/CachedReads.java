package dev.sluice.benchmarks.seda.threads;

import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Rounds of tasks: each is handed over once, and when all are done, the next round begins. */
public final class CachedReads implements Workload {

    static final String RATE = "tasks per second";
    static final String TIME = "mean response time";
    static final String TIME_BY_TASKS = "mean response time divided by the tasks";

    private static final double NANOS_PER_MICRO = 1e3;

    private final CachedFile file;
    private final Round round;
    private final List<ReadTask> tasks;
    private final TaskServer server;

    /**
     * Starts the server.
     *
     * @param arguments as from {@link #arguments}
     * @throws IOException if it cannot be started, or the file is not there
     */
    public CachedReads(List<String> arguments) throws IOException {
        int count = Integer.parseInt(arguments.get(1));
        file = CachedFile.open(Path.of(arguments.get(2)));
        round = new Round(count);
        tasks = IntStream.range(0, count).mapToObj(number -> new ReadTask(round, file)).toList();
        try {
            server = ServerKind.valueOf(arguments.get(0)).open(tasks);
        } catch (Throwable e) {
            file.close();
            throw e;
        }
    }

    /**
     * {@return what the constructor takes}
     *
     * @param kind  of the server
     * @param tasks how many there are at once
     * @param file  to read
     */
    static List<String> arguments(ServerKind kind, int tasks, Path file) {
        return List.of(kind.name(), Integer.toString(tasks), file.toString());
    }

    @Override
    public void work(Duration time, Recorder recorder) throws IOException {
        long done = 0;
        double responses = 0;
        long worked = 0;
        do {
            long began = System.nanoTime();
            round.begin();
            for (int i = 0; i < tasks.size(); i++) {
                tasks.get(i).handOver();
                server.handOver(i);
            }
            round.await();
            worked += System.nanoTime() - began;
            done += tasks.size();
            responses += tasks.stream().mapToLong(ReadTask::responseTime).sum();
        } while (worked < time.toNanos());
        recorder.record(RATE, done * (double) TimeUnit.SECONDS.toNanos(1) / worked);
        recorder.record(TIME, responses / done / NANOS_PER_MICRO);
        recorder.record(TIME_BY_TASKS, responses / done / tasks.size());
    }

    @Override
    public void close() throws IOException {
        try (file) {
            server.close();
        }
    }
}
