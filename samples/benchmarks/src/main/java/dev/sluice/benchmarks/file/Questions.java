package dev.sluice.benchmarks.file;

import static dev.sluice.benchmarks.file.Contestants.ASYNCHRONOUS;
import static dev.sluice.benchmarks.file.Contestants.BATCH;
import static dev.sluice.benchmarks.file.Contestants.BATCH_VIRTUAL;
import static dev.sluice.benchmarks.file.Contestants.CHANNEL;
import static dev.sluice.benchmarks.file.Contestants.CHANNEL_LOG;
import static dev.sluice.benchmarks.file.Contestants.CHANNEL_THREADS;
import static dev.sluice.benchmarks.file.Contestants.CHANNEL_VIRTUAL;
import static dev.sluice.benchmarks.file.Contestants.EMULATED;
import static dev.sluice.benchmarks.file.Contestants.FIO;
import static dev.sluice.benchmarks.file.Contestants.IO_URING;
import static dev.sluice.benchmarks.file.Contestants.LOG;
import static dev.sluice.benchmarks.file.Contestants.MAPPED;

import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Section.Chart;
import dev.sluice.benchmarks.run.Section.Question;
import dev.sluice.benchmarks.run.Target;
import java.util.ArrayList;
import java.util.List;

/** The tables of each question, and what is to be reached. */
final class Questions {

    static final Figures CACHED = new Figures("");
    static final Figures DIRECT_READS = new Figures("direct reads: ");
    static final Figures DIRECT_WRITES = new Figures("direct writes: ");
    static final Figures DIRECT_SIZES = new Figures("direct, by size: ");
    static final Figures CACHED_SIZES = new Figures("cached, by size: ");
    static final Figures APPENDS = new Figures("appends: ");
    static final Figures VIRTUAL_THREADS = new Figures("virtual threads: ");

    static final String MANY_THREADS = "1000 virtual threads";
    static final String ONE_CARRIER = MANY_THREADS + ", parallelism=1";

    /** What the harness itself allocates for an operation where many are measured. */
    private static final double NOTHING = 0.5;
    private static final String PER_SECOND = "1/s";

    private Questions() {
    }

    /** {@return the name of a scenario of the cached file} */
    static String cached(boolean writes, int depth) {
        return (writes ? "write, " : "read, ") + depth + " in flight";
    }

    /** {@return the name of a scenario of appends} */
    static String appended(int threads) {
        return threads + (threads == 1 ? " thread" : " threads");
    }

    /** {@return all tables} */
    static List<Section> sections() {
        List<Section> sections = new ArrayList<>(cached());
        sections.addAll(directReads());
        sections.addAll(over("random writes of 4 KiB past the page cache, over the number in flight", "direct-writes",
                DIRECT_WRITES));
        sections.addAll(sizes("operations of 4 KiB to 1 MiB past the page cache, 8 in flight", "direct-sizes",
                DIRECT_SIZES));
        sections.addAll(sizes("operations of 4 KiB to 1 MiB on a cached file, 8 in flight", "cached-sizes",
                CACHED_SIZES));
        sections.addAll(appends());
        sections.addAll(virtualThreads());
        return sections;
    }

    private static List<Section> cached() {
        String read = cached(false, 32);
        String one = cached(true, 1);
        String many = cached(true, 32);
        Target[] writes = {Target.times(IO_URING, 0.9, CHANNEL).in(one), Target.times(IO_URING, 0.9, CHANNEL).in(many)};
        List<Section> sections = new ArrayList<>();
        sections.add(CACHED.section(Figures.PER_SECOND, PER_SECOND, Better.HIGHER, CHANNEL, Chart.NONE).with(writes));
        sections.add(CACHED.section(Figures.PER_PROCESSOR_SECOND, PER_SECOND, Better.HIGHER, CHANNEL, Chart.BARS)
                .with(Target.times(IO_URING, 2, CHANNEL_THREADS).in(read),
                        Target.times(IO_URING, 1.05, CHANNEL).in(read),
                        Target.times(EMULATED, 1.5, CHANNEL_THREADS).in(read),
                        Target.times(EMULATED, 0.85, CHANNEL).in(read), writes[0], writes[1])
                .drawing(CHANNEL, CHANNEL_THREADS, ASYNCHRONOUS, IO_URING, EMULATED, FIO));
        sections.addAll(CACHED.latencies(CHANNEL));
        sections.add(CACHED.section(Figures.ALLOCATED, "B", Better.LOWER, null, Chart.NONE)
                .with(Target.of(IO_URING, NOTHING).in(read), Target.of(EMULATED, NOTHING).in(read),
                        Target.of(BATCH, NOTHING).in(read)));
        return sections;
    }

    private static List<Section> directReads() {
        String deep = "128 in flight";
        List<Section> sections = over("random reads of 4 KiB past the page cache, over the number in flight",
                "direct-reads", DIRECT_READS);
        sections.set(0, sections.get(0).with(Target.times(IO_URING, 0.95, FIO).in(deep),
                Target.times(BATCH, 4, CHANNEL).in("32 in flight")));
        sections.set(1, sections.get(1).with(Target.times(IO_URING, 1.15, FIO).in(deep)));
        return sections;
    }

    private static List<Section> over(String question, String name, Figures figures) {
        List<Section> sections = new ArrayList<>();
        sections.add(figures.section(Figures.PER_SECOND, PER_SECOND, Better.HIGHER, CHANNEL_THREADS, Chart.LINES)
                .drawing(CHANNEL_THREADS, ASYNCHRONOUS, IO_URING, EMULATED, BATCH, FIO)
                .over("operations in flight").answering(new Question(name, question)));
        sections.add(figures.processor(CHANNEL_THREADS));
        sections.addAll(figures.latencies(CHANNEL_THREADS));
        return sections;
    }

    private static List<Section> sizes(String question, String name, Figures figures) {
        List<Section> sections = new ArrayList<>();
        sections.add(figures.section(Figures.BYTES, "MiB/s", Better.HIGHER, CHANNEL_THREADS, Chart.BARS)
                .drawing(CHANNEL_THREADS, MAPPED, IO_URING, EMULATED, BATCH, FIO)
                .answering(new Question(name, question)));
        sections.add(figures.section(Figures.PER_SECOND, PER_SECOND, Better.HIGHER, CHANNEL_THREADS, Chart.NONE));
        sections.add(figures.processor(CHANNEL_THREADS));
        sections.addAll(figures.latencies(CHANNEL_THREADS));
        return sections;
    }

    private static List<Section> appends() {
        List<Section> sections = new ArrayList<>();
        sections.add(APPENDS.section(Figures.PER_SECOND, PER_SECOND, Better.HIGHER, CHANNEL, Chart.LINES)
                .with(Target.times(LOG, 1.2, CHANNEL_LOG).in(appended(16)))
                .drawing(CHANNEL, IO_URING, EMULATED, BATCH, LOG, CHANNEL_LOG).over("threads")
                .answering(new Question("appends",
                        "appends of 4 KiB, each of them on the disk when it returns, by 1 to 64 threads")));
        sections.add(APPENDS.processor(CHANNEL));
        sections.addAll(APPENDS.latencies(CHANNEL));
        return sections;
    }

    private static List<Section> virtualThreads() {
        List<Section> sections = new ArrayList<>();
        sections.add(VIRTUAL_THREADS.section(Figures.PER_SECOND, PER_SECOND, Better.HIGHER, CHANNEL_VIRTUAL, Chart.BARS)
                .with(Target.times(BATCH_VIRTUAL, 0.95, CHANNEL_VIRTUAL).in(MANY_THREADS))
                .drawing(CHANNEL_VIRTUAL, BATCH_VIRTUAL).answering(new Question("virtual-threads",
                        "random reads of 4 KiB past the page cache by 1000 virtual threads")));
        sections.add(VIRTUAL_THREADS.processor(CHANNEL_VIRTUAL)
                .with(Target.times(BATCH_VIRTUAL, 0.4, CHANNEL_VIRTUAL).in(MANY_THREADS)));
        sections.addAll(VIRTUAL_THREADS.latencies(CHANNEL_VIRTUAL));
        sections.add(VIRTUAL_THREADS.section(Figures.COMPUTED, PER_SECOND, Better.HIGHER, CHANNEL_VIRTUAL, Chart.NONE)
                .with(Target.of(BATCH_VIRTUAL, 100)));
        return sections;
    }
}
