package dev.sluice.benchmarks.file;

import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.workload.Deadline;
import dev.sluice.benchmarks.workload.Meter;
import dev.sluice.benchmarks.workload.Workload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.IntCountsHistogram;

/** Appends records, each of which is made durable before its author appends the next one. */
abstract class AppendWorkload implements Workload {

    private final Path path;
    private final Deadline deadline = new Deadline();
    private final List<Appender> appenders = new ArrayList<>();

    /** Takes the records that have been appended. */
    @FunctionalInterface
    interface Records {

        /**
         * Takes the next one.
         *
         * @param record its bytes from 0 on, in native order
         * @throws IOException if it is not a record of an appender, or not the next one of that
         */
        void take(ByteBuffer record) throws IOException;
    }

    /**
     * Creates the appenders.
     *
     * @param arguments as from {@link #arguments}
     */
    AppendWorkload(List<String> arguments) {
        path = Path.of(arguments.get(0));
        for (int i = 0; i < Integer.parseInt(arguments.get(1)); i++) {
            appenders.add(new Appender(i, deadline));
        }
    }

    /** {@return the arguments of a constructor: the path, the number of appenders, and what a subclass understands} */
    static List<String> arguments(Path path, int appenders, String own) {
        return List.of(path.toString(), Integer.toString(appenders), own);
    }

    static String own(List<String> arguments) {
        return arguments.get(2);
    }

    final Path path() {
        return path;
    }

    final Deadline deadline() {
        return deadline;
    }

    final List<Appender> appenders() {
        return appenders;
    }

    @Override
    public final void work(Duration time, Recorder recorder) throws IOException, InterruptedException {
        empty();
        appenders.forEach(Appender::reset);
        prepare();
        Meter meter = new Meter();
        deadline.set(System.nanoTime() + time.toNanos());
        run();
        Figures.record(meter, appenders.stream().mapToLong(Appender::done).sum(), Appender.RECORD, recorder);
        IntCountsHistogram all = Slot.histogram();
        appenders.stream().map(Appender::latencies).forEach(all::add);
        Figures.recordLatencies(all, recorder);
        requireRecords();
    }

    /** Removes the records of an earlier measurement. */
    abstract void empty() throws IOException;

    /** Prepares {@link #run}: what has to be there before the time is taken. */
    void prepare() {
    }

    /** Appends until the deadline is over, and until all appends have ended. */
    abstract void run() throws IOException, InterruptedException;

    /** Reads what has been appended, from the first record to the last one. */
    abstract void read(Records records) throws IOException;

    /** Every record is there, once, and those of one author are in their order. */
    private void requireRecords() throws IOException {
        long[] next = new long[appenders.size()];
        read(record -> {
            int author = Appender.author(record);
            Appender.requireNumber(record, next[author]++);
        });
        for (Appender appender : appenders) {
            if (next[appender.author()] != appender.done()) {
                throw new IOException("there are " + next[appender.author()] + " records of " + appender.author()
                        + " instead of " + appender.done());
            }
        }
    }
}
