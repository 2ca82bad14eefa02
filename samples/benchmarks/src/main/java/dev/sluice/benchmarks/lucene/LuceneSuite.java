package dev.sluice.benchmarks.lucene;

import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Preparation;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.benchmarks.run.Trial;
import dev.sluice.benchmarks.workload.WorkingThreads.Kind;
import dev.sluice.benchmarks.workload.Workload;
import dev.sluice.benchmarks.workload.WorkloadTrial;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Cold searches of an index that is larger than the memory. */
public final class LuceneSuite implements Suite {

    private static final int ROUNDS = 3;
    private static final long MEBIBYTE = 1 << 20;
    private static final String HEAP = "128m";
    /** Of the file that a question is about. */
    private static final long SHARE_IN_MEMORY = 4;
    /** What the process itself needs, with its heap. */
    private static final long PROCESS = 384 * MEBIBYTE;
    /** What the process may have of that outside of the heap. */
    private static final long DIRECT = 256 * MEBIBYTE;
    private static final List<String> OPTIONS = List.of("--add-modules", "jdk.incubator.vector", "-XX:+UseSerialGC");

    /** Creates a suite. */
    public LuceneSuite() {
    }

    @Override
    public String name() {
        return "lucene";
    }

    @Override
    public String summary() {
        return "stored fields and vectors of an index larger than memory: SluiceDirectory beside Lucene's own"
                + " directories";
    }

    @Override
    public String method() {
        return """
                The index has one segment. Each document has a text of 6 to 10 KiB, of which the default codec makes
                3 KiB as a stored field, and a vector of 1024 dimensions. The graph of the vectors (HNSW) is searched
                with one bit per dimension, as Lucene's own format for that writes them; it fits into memory. The index
                has 3 GiB, or as `--index-size` says, of which the vectors are somewhat more than a half. It is written
                once and kept in the directory of the results, on whose file system the searches read it.

                Each trial is a Java of its own, which joins a control group with a limit of a quarter of the texts, or
                of the full vectors, for the page cache, and of 384 MiB for the process, whose heap has 128 MiB. What
                the process leaves of that the page cache may use. Before that the index is dropped from the page
                cache. Where there are no such groups, it is only dropped. Nothing is measured for the first seconds, in
                which the memory fills up.

                A *query* of documents reads the texts of 32 random documents: `StoredFields.prefetch` for all of
                them, and then each. A query of vectors searches the 100 nearest to a random one in the graph,
                prefetches the full vectors of those, 4 KiB each, and computes the exact distance of each. One of eight
                queries compares what it has read with what was written. Threads make one query after the other.

                *MMapDirectory* is Lucene's default, and its prefetch calls madvise. *NIOFSDirectory* and
                *DirectIODirectory* have no prefetch in this version of Lucene. DirectIODirectory reads the texts
                directly, 16 KiB at a time, and the full vectors 8 KiB at a time; the rest it maps.
                *SluiceDirectory* is as a program gets it by default: it advises the system to read texts ahead, and
                maps vectors. *Direct* it reads texts and full vectors past the page cache, by `setDirect`, and ahead by
                io_uring, and keeps them in memory of its own, a quarter of their file; the rest it maps, by
                `setMapped`.

                CPU time is that of the process, with the threads that the kernel makes for io_uring. On Linux, what is
                read from the disk is what the process has caused, as `/proc/self/io` has it, and the reads are those of
                all disks, as the kernel has merged them, of other processes as well. The aim of *direct* is 1.5 times
                the rate of the best of Lucene's own.""";
    }

    @Override
    public List<Section> sections() {
        return Questions.sections();
    }

    @Override
    public Duration estimate(Scale scale, Host host) {
        return scale.choose(Duration.ofSeconds(5), Duration.ofSeconds(24), Duration.ofMinutes(18));
    }

    @Override
    public Preparation prepare(Scale scale, Host host) throws IOException {
        List<String> absences = new ArrayList<>();
        long bytes = host.indexSize().orElse(scale.choose(1L, 128L, 3072L) * MEBIBYTE);
        SearchedIndex index = SearchedIndex.ofSize(host.directory(), bytes);
        if (!index.isThere()) {
            write(index, scale, host);
        }
        MemoryGroup group = null;
        if (scale != Scale.SMALLEST) {
            try {
                group = MemoryGroup.find();
            } catch (IOException e) {
                absences.add("the limit of the memory: " + e.getMessage()
                        + "; the index is only dropped from the page cache before each trial");
            }
        }
        List<Trial> trials = new ArrayList<>();
        for (Class<? extends Workload> workload : List.of(DocumentsWorkload.class, VectorsWorkload.class)) {
            String extension = workload == DocumentsWorkload.class ? ".fdt" : ".vec";
            long size = index.size(extension);
            long cache = size / SHARE_IN_MEMORY;
            if (size < PROCESS) {
                absences.add("cold reads of " + extension + ": with " + size / MEBIBYTE + " MiB it fits into memory;"
                        + " make a larger index by --index-size");
            }
            for (Threads threads : scale.choose(List.of(new Threads(4, Kind.PLATFORM)),
                    List.of(new Threads(16, Kind.PLATFORM)),
                    List.of(new Threads(1, Kind.PLATFORM), new Threads(16, Kind.PLATFORM),
                            new Threads(16, Kind.VIRTUAL)))) {
                for (Directories kind : Directories.values()) {
                    trials.add(new SearchTrial(trial(workload, threads, kind, index, group, cache, scale, host), index,
                            group, PROCESS + cache));
                }
            }
        }
        return new Preparation(trials, scale.choose(1, 1, ROUNDS), absences);
    }

    /** The threads of a scenario. */
    private record Threads(int number, Kind kind) {

        String scenario() {
            return number + (kind == Kind.VIRTUAL ? " virtual" : "") + (number == 1 ? " thread" : " threads");
        }
    }

    private static Trial trial(Class<? extends Workload> workload, Threads threads, Directories kind,
            SearchedIndex index, MemoryGroup group, long cache, Scale scale, Host host) {
        List<String> arguments = SearchWorkload.arguments(kind, index.path(), threads.number(), threads.kind(),
                group == null ? SearchWorkload.UNLIMITED : group.processes(), cache);
        List<String> options = new ArrayList<>(OPTIONS);
        options.add("-XX:MaxDirectMemorySize=" + (DIRECT + cache));
        return new WorkloadTrial(threads.scenario(), kind.label(), workload, arguments,
                scale.choose(Duration.ZERO, Duration.ofMillis(700), Duration.ofSeconds(4)),
                scale.choose(scale.measured(), Duration.ofMillis(500), Duration.ofSeconds(3)), scale, host, HEAP)
                .with(options);
    }

    private static void write(SearchedIndex index, Scale scale, Host host) throws IOException {
        if (scale == Scale.SMALLEST) {
            index.write();
            return;
        }
        List<String> options = new ArrayList<>(OPTIONS);
        options.add("-Xmx1g");
        File log = host.directory().resolve("lucene-index.log").toFile();
        Process process = host.start(new ProcessBuilder(host.java(options, IndexMain.class, index.path().toString(),
                Integer.toString(index.documents()))).redirectErrorStream(true).redirectOutput(log));
        try {
            int code = process.waitFor();
            if (code != 0) {
                throw new IOException("the index cannot be written; see " + log);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the index was written", e);
        } finally {
            process.destroyForcibly();
        }
    }
}
