package dev.sluice.benchmarks.lucene;

import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.workload.Deadline;
import dev.sluice.benchmarks.workload.Meter;
import dev.sluice.benchmarks.workload.WorkingThreads;
import dev.sluice.benchmarks.workload.WorkingThreads.Kind;
import dev.sluice.benchmarks.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.IntCountsHistogram;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOUtils;

/** Threads that query an index, each one query after the other. */
abstract class SearchWorkload implements Workload {

    /** In place of the file that takes the processes of a group, if their memory is not limited. */
    static final String UNLIMITED = "-";

    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(100);
    private static final int DIGITS = 2;
    /** One of so many queries has its content compared with what was written. */
    private static final int CHECKED = 8;

    private final SearchFigures figures;
    private final Directory directory;
    private final DirectoryReader reader;
    private final int threads;
    private final Deadline deadline = new Deadline();
    private final WorkingThreads working;
    private final List<IntCountsHistogram> latencies = new ArrayList<>();

    /**
     * Opens the index.
     *
     * @param figures   the names of what is recorded
     * @param buffer    see {@link Directories#open}
     * @param arguments as {@link #arguments} makes them
     */
    SearchWorkload(SearchFigures figures, int buffer, List<String> arguments) throws IOException {
        this.figures = figures;
        if (!arguments.get(4).equals(UNLIMITED)) {
            Files.writeString(Path.of(arguments.get(4)), Long.toString(ProcessHandle.current().pid()));
        }
        threads = Integer.parseInt(arguments.get(2));
        working = new WorkingThreads(Kind.valueOf(arguments.get(3)), deadline);
        directory = Directories.valueOf(arguments.get(0)).open(Path.of(arguments.get(1)), buffer,
                Long.parseLong(arguments.get(5)));
        DirectoryReader opened = null;
        try {
            opened = DirectoryReader.open(directory);
        } finally {
            if (opened == null) {
                directory.close();
            }
        }
        reader = opened;
    }

    /** {@return what the constructors of the workloads take} */
    static List<String> arguments(Directories kind, Path index, int threads, Kind kindOfThreads, String group,
            long memory) {
        return List.of(kind.name(), index.toString(), Integer.toString(threads), kindOfThreads.name(), group,
                Long.toString(memory));
    }

    final DirectoryReader reader() {
        return reader;
    }

    /**
     * Makes one query.
     *
     * @param random  of the thread
     * @param checked whether to compare the content of a document that has been found with what was written
     * @throws IOException if it fails, or the content is another one
     */
    abstract void query(SplittableRandom random, boolean checked) throws IOException;

    @Override
    public final void work(Duration time, Recorder recorder) throws IOException, InterruptedException {
        latencies.clear();
        for (int i = 0; i < threads; i++) {
            IntCountsHistogram nanos = new IntCountsHistogram(LONGEST_NANOS, DIGITS);
            SplittableRandom random = new SplittableRandom(System.nanoTime() + i);
            latencies.add(nanos);
            working.start(() -> {
                long begin = System.nanoTime();
                query(random, nanos.getTotalCount() % CHECKED == 0);
                long end = System.nanoTime();
                nanos.recordValue(Math.min(end - begin, LONGEST_NANOS));
                deadline.notice(end);
            });
        }
        DiskReads disk = DiskReads.areCounted() ? new DiskReads() : null;
        Meter meter = new Meter();
        deadline.set(System.nanoTime() + time.toNanos());
        working.run();
        IntCountsHistogram all = new IntCountsHistogram(LONGEST_NANOS, DIGITS);
        latencies.forEach(all::add);
        figures.record(meter, disk, all, recorder);
    }

    @Override
    public void close() throws IOException {
        IOUtils.close(reader, directory);
    }
}
