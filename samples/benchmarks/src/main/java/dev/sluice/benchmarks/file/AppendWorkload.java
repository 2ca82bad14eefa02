package dev.sluice.benchmarks.file;

import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.workload.Deadline;
import dev.sluice.benchmarks.workload.Meter;
import dev.sluice.benchmarks.workload.Workload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.IntCountsHistogram;

/** Appends records to a file, each of which is made durable before its author appends the next one. */
abstract class AppendWorkload implements Workload {

    private final Path path;
    private final Deadline deadline = new Deadline();
    private final List<Appender> appenders = new ArrayList<>();

    /**
     * Creates the file.
     *
     * @param arguments as from {@link #arguments}
     */
    AppendWorkload(List<String> arguments) throws IOException {
        path = Path.of(arguments.get(0));
        for (int i = 0; i < Integer.parseInt(arguments.get(1)); i++) {
            appenders.add(new Appender(i, deadline));
        }
        empty();
    }

    /** {@return the arguments of a constructor: the file, the number of appenders, and what a subclass understands} */
    static List<String> arguments(Path path, int appenders, String own) {
        return List.of(path.toString(), Integer.toString(appenders), own);
    }

    static String own(List<String> arguments) {
        return arguments.get(2);
    }

    private void empty() throws IOException {
        FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING).close();
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

    /** Prepares {@link #run}: what has to be there before the time is taken. */
    void prepare() {
    }

    /** Appends until the deadline is over, and until all appends have ended. */
    abstract void run() throws IOException, InterruptedException;

    /** Every record is in the file, once, and those of one author are in their order. */
    private void requireRecords() throws IOException {
        long[] next = new long[appenders.size()];
        ByteBuffer record = Slot.aligned(Appender.RECORD);
        try (FileChannel file = FileChannel.open(path)) {
            while (file.read(record.clear()) == Appender.RECORD) {
                int author = Appender.author(record);
                Appender.requireNumber(record, next[author]++);
            }
        }
        for (Appender appender : appenders) {
            if (next[appender.author()] != appender.done()) {
                throw new IOException("the file has " + next[appender.author()] + " records of " + appender.author()
                        + " instead of " + appender.done());
            }
        }
    }
}
