package dev.sluice.benchmarks.file;

import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Preparation;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Section;
import dev.sluice.benchmarks.run.Section.Better;
import dev.sluice.benchmarks.run.Section.Chart;
import dev.sluice.benchmarks.run.Suite;
import dev.sluice.benchmarks.run.Target;
import dev.sluice.benchmarks.run.Trial;
import dev.sluice.benchmarks.workload.Workload;
import dev.sluice.benchmarks.workload.WorkloadTrial;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reading and writing a file that is cached. */
public final class FileSuite implements Suite {

    private static final String BASELINE = "FileChannel";
    private static final String FILE = "blocks.bin";
    private static final String ASYNCHRONOUS = "AsynchronousFileChannel";
    private static final int MANY = 32;
    /** How the contestants on a proactor are called, by their demultiplexers. */
    private static final Map<String, String> PROACTORS = proactors();

    /** Creates a suite. */
    public FileSuite() {
    }

    private static Map<String, String> proactors() {
        Map<String, String> proactors = new LinkedHashMap<>();
        proactors.put("io_uring", "Sluice Proactor, io_uring");
        proactors.put("epoll", "Sluice Proactor, emulated on epoll");
        return proactors;
    }

    @Override
    public String name() {
        return "file";
    }

    @Override
    public String summary() {
        return "4 KiB at random places of a cached file: the Proactor, FileChannel, AsynchronousFileChannel";
    }

    @Override
    public String method() {
        return """
                Blocks of 4 KiB are read and written at random places of a file of 1 GiB, which is in the page cache
                throughout: no disk is waited for, and what is measured is the way there and back. It lies in the
                directory of the results, on the file system that this directory is on. Every block tells where it
                belongs, which is checked for each that is read; of those written the last are read back. The file
                was written in blocks of 4 KiB: a kernel that caches larger parts of it in one piece takes many times as
                long to change 4 KiB of such a piece.

                *FileChannel* and *FileHandle* (Sluice's, by way of the same system calls) work in one thread, one
                operation after the other, in the rows of 32 as well: they have nothing in flight. The Proactor starts
                the next operation of a slot when its last has completed; on io_uring the kernel copies within the
                system call where it can, and lets threads of its own do the rest, such as buffered writes on ext4. On
                epoll, which knows nothing of files, a few threads call pread and pwrite. *AsynchronousFileChannel* has
                handlers, which start the next operation, and the threads that it makes by itself, as many as there are
                operations in flight; in a row of its own it is given one for each processor, as is better for a file
                that is cached. All buffers are direct. Processor time is that of the whole process, with the threads
                that the kernel makes for io_uring.""";
    }

    @Override
    public List<Section> sections() {
        return List.of(new Section(FileWorkload.PER_SECOND, "1/s", Better.HIGHER, BASELINE, Chart.NONE),
                new Section(FileWorkload.PER_PROCESSOR_SECOND, "1/s", Better.HIGHER, BASELINE, Chart.BARS).with(
                        Target.times(PROACTORS.get("io_uring"), 1.1, BASELINE).in(scenario(false, MANY)),
                        Target.times(PROACTORS.get("io_uring"), 5, ASYNCHRONOUS).in(scenario(false, MANY))),
                new Section(FileWorkload.ALLOCATED, "B", Better.LOWER, null, Chart.NONE));
    }

    @Override
    public Preparation prepare(Scale scale, Host host) throws IOException {
        List<String> absences = new ArrayList<>();
        List<String> proactors = new ArrayList<>();
        for (String demultiplexer : PROACTORS.keySet()) {
            String missing = missing(demultiplexer);
            if (missing == null) {
                proactors.add(demultiplexer);
            } else {
                absences.add(PROACTORS.get(demultiplexer) + " is missing: " + missing);
            }
        }
        Path file = host.directory().resolve(FILE);
        try {
            BlockFile.write(file, scale.choose(8L << 20, 1L << 30, 1L << 30));
            List<Trial> trials = new ArrayList<>();
            for (boolean writes : List.of(false, true)) {
                for (int inFlight : List.of(1, MANY)) {
                    trials.addAll(trials(file, writes, inFlight, proactors, scale, host));
                }
            }
            return new Preparation(trials, scale.rounds(), absences, () -> Files.deleteIfExists(file));
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    private static String missing(String demultiplexer) {
        for (Mechanism factory : Mechanism.available()) {
            if (factory.mode() == Mode.ASYNCHRONOUS && factory.name().equals(demultiplexer)) {
                return factory.availability().usable() ? null : factory.availability().reason();
            }
        }
        return "this system has no " + demultiplexer;
    }

    private static String scenario(boolean writes, int inFlight) {
        return (writes ? "write, " : "read, ") + inFlight + " in flight";
    }

    private static List<Trial> trials(Path file, boolean writes, int inFlight, List<String> proactors, Scale scale,
            Host host) {
        Contest contest = new Contest(scenario(writes, inFlight), file, writes, inFlight, scale, host);
        List<Trial> trials = new ArrayList<>();
        trials.add(contest.trial(BASELINE, SynchronousChannel.class, ""));
        trials.add(contest.trial(ASYNCHRONOUS, AsynchronousChannel.class, "0"));
        int threads = host.processors();
        trials.add(contest.trial("AsynchronousFileChannel, " + threads + " threads", AsynchronousChannel.class,
                Integer.toString(threads)));
        trials.add(contest.trial("Sluice FileHandle", SynchronousHandle.class, ""));
        for (String demultiplexer : proactors) {
            trials.add(contest.trial(PROACTORS.get(demultiplexer), ProactiveFile.class, demultiplexer));
        }
        return trials;
    }

    private record Contest(String scenario, Path file, boolean writes, int inFlight, Scale scale, Host host) {

        Trial trial(String contestant, Class<? extends Workload> workload, String own) {
            return new WorkloadTrial(scenario, contestant, workload,
                    FileWorkload.arguments(file, writes, inFlight, own),
                    scale.choose(Duration.ZERO, Duration.ofMillis(700), Duration.ofMillis(1200)),
                    scale.choose(scale.measured(), Duration.ofMillis(400), Duration.ofMillis(1200)), scale, host);
        }
    }
}
