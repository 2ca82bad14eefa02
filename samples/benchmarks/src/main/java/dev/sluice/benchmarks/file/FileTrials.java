package dev.sluice.benchmarks.file;

import static dev.sluice.benchmarks.file.Contestants.ASYNCHRONOUS;
import static dev.sluice.benchmarks.file.Contestants.ASYNCHRONOUS_FEW;
import static dev.sluice.benchmarks.file.Contestants.BATCH;
import static dev.sluice.benchmarks.file.Contestants.BATCH_VIRTUAL;
import static dev.sluice.benchmarks.file.Contestants.CHANNEL;
import static dev.sluice.benchmarks.file.Contestants.CHANNEL_LOG;
import static dev.sluice.benchmarks.file.Contestants.CHANNEL_THREADS;
import static dev.sluice.benchmarks.file.Contestants.CHANNEL_VIRTUAL;
import static dev.sluice.benchmarks.file.Contestants.EMULATED;
import static dev.sluice.benchmarks.file.Contestants.FIO;
import static dev.sluice.benchmarks.file.Contestants.FIO_REGISTERED;
import static dev.sluice.benchmarks.file.Contestants.HANDLE;
import static dev.sluice.benchmarks.file.Contestants.IO_URING;
import static dev.sluice.benchmarks.file.Contestants.LOG;
import static dev.sluice.benchmarks.file.Contestants.MAPPED;

import dev.sluice.benchmarks.file.Contestants.Entry;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.benchmarks.run.Trial;
import dev.sluice.benchmarks.workload.WorkloadTrial;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The trials of all questions. */
final class FileTrials {

    private static final int KIB = 1024;
    private static final int LARGE = 64 * KIB;
    private static final int LARGEST = KIB * KIB;
    private static final int FEW = 8;
    private static final int BATCHED = 32;
    private static final int MANY_THREADS = 1000;
    private static final List<String> ONE_CARRIER = List.of("-Djdk.virtualThreadScheduler.parallelism=1");

    private final Scale scale;
    private final Host host;
    private final TrialFiles files;
    private final Map<String, Fio> programs;
    private final Map<String, Entry> transferring;
    private final Map<String, Entry> appending;
    private final boolean direct;

    /**
     * Creates the trials.
     *
     * @param scale    how much is measured
     * @param host     the host to run on
     * @param files    the files
     * @param programs fio, by the names of the contestants
     * @param absent   the contestants that cannot take part
     * @param direct   whether the page cache can be bypassed
     */
    FileTrials(Scale scale, Host host, TrialFiles files, Map<String, Fio> programs, Set<String> absent,
            boolean direct) {
        this.scale = scale;
        this.host = host;
        this.files = files;
        this.programs = programs;
        this.direct = direct;
        transferring = Contestants.transferring(host.processors());
        transferring.keySet().removeAll(absent);
        appending = Contestants.appending();
        appending.keySet().removeAll(absent);
    }

    /** {@return the trials, in the order of the questions} */
    List<Trial> all() {
        List<Trial> trials = new ArrayList<>();
        for (Scenario scenario : cached()) {
            trials.addAll(transfers(scenario, ofCached(scenario.job().depth())));
        }
        if (direct) {
            for (Scenario scenario : overDepth()) {
                trials.addAll(transfers(scenario, ofDirect(scenario.job().depth())));
            }
        }
        for (Scenario scenario : sizes()) {
            if (direct || !scenario.job().direct()) {
                trials.addAll(transfers(scenario, List.of(CHANNEL_THREADS, MAPPED, IO_URING, EMULATED, BATCH, FIO)));
            }
        }
        trials.addAll(appends());
        if (direct) {
            for (Scenario scenario : virtualThreads()) {
                trials.addAll(transfers(scenario, List.of(CHANNEL_VIRTUAL, BATCH_VIRTUAL)));
            }
        }
        return trials;
    }

    // The scenarios

    private List<Scenario> cached() {
        List<Scenario> scenarios = new ArrayList<>();
        for (boolean writes : List.of(false, true)) {
            List<Integer> depths = scale == Scale.FULL ? writes ? List.of(1, 32) : List.of(1, 32, 256) : List.of(32);
            for (int depth : depths) {
                scenarios.add(Scenario.of(Questions.cached(writes, depth), Questions.CACHED,
                        Job.cached(writes, depth)));
            }
        }
        return scenarios;
    }

    private List<Scenario> overDepth() {
        List<Scenario> scenarios = new ArrayList<>();
        for (int depth : scale.choose(List.of(FEW), List.of(128), List.of(1, 8, 32, 128, 256))) {
            scenarios.add(Scenario.inFlight(Questions.DIRECT_READS, Job.direct(false, depth)));
        }
        for (int depth : scale.choose(List.of(FEW), List.<Integer>of(), List.of(1, 32, 128))) {
            scenarios.add(Scenario.inFlight(Questions.DIRECT_WRITES, Job.direct(true, depth)));
        }
        return scenarios;
    }

    private List<Scenario> sizes() {
        List<Scenario> scenarios = new ArrayList<>();
        for (boolean isDirect : List.of(true, false)) {
            for (boolean sequential : scale.choose(List.of(true), List.<Boolean>of(), List.of(true, false))) {
                for (boolean writes : scale == Scale.FULL ? List.of(false, true) : List.of(false)) {
                    for (int size : scale == Scale.FULL ? List.of(sequential ? Slot.BLOCK : LARGE, LARGEST)
                            : List.of(LARGEST)) {
                        scenarios.add(size(isDirect, sequential, writes, size));
                    }
                }
            }
        }
        return scenarios;
    }

    private static Scenario size(boolean direct, boolean sequential, boolean writes, int size) {
        String name = (sequential ? "sequential " : "random ") + (writes ? "write, " : "read, ")
                + (size == LARGEST ? "1 MiB" : size / KIB + " KiB");
        return Scenario.of(name, direct ? Questions.DIRECT_SIZES : Questions.CACHED_SIZES,
                new Job(null, writes, sequential, direct, size, FEW, false));
    }

    private List<Scenario> virtualThreads() {
        int threads = scale.choose(50, MANY_THREADS, MANY_THREADS);
        Scenario many = Scenario.of(Questions.MANY_THREADS, Questions.VIRTUAL_THREADS, Job.direct(false, threads));
        Scenario one = new Scenario(Questions.ONE_CARRIER, Questions.VIRTUAL_THREADS,
                new Job(null, false, false, true, Slot.BLOCK, threads, true), ONE_CARRIER);
        return scale == Scale.QUICK ? List.of(many) : List.of(many, one);
    }

    // The contestants

    private List<String> ofCached(int depth) {
        if (scale == Scale.QUICK) {
            return List.of(CHANNEL, CHANNEL_THREADS, IO_URING, EMULATED, BATCH, FIO);
        }
        List<String> names = new ArrayList<>(List.of(CHANNEL, ASYNCHRONOUS,
                ASYNCHRONOUS_FEW.formatted(host.processors()), MAPPED, HANDLE, IO_URING, EMULATED, BATCH, FIO,
                FIO_REGISTERED));
        if (depth > 1) {
            names.addAll(List.of(CHANNEL_THREADS, CHANNEL_VIRTUAL, BATCH_VIRTUAL));
        }
        return names;
    }

    private List<String> ofDirect(int depth) {
        if (scale == Scale.QUICK) {
            return List.of(CHANNEL_THREADS, CHANNEL_VIRTUAL, IO_URING, EMULATED, BATCH, BATCH_VIRTUAL, FIO);
        }
        List<String> names = new ArrayList<>(List.of(CHANNEL_THREADS, ASYNCHRONOUS, IO_URING, EMULATED, BATCH, FIO,
                FIO_REGISTERED));
        if (depth > 1) {
            names.addAll(List.of(CHANNEL_VIRTUAL, BATCH_VIRTUAL));
        }
        if (depth == BATCHED) {
            names.add(CHANNEL);
        }
        return names;
    }

    private List<String> ofAppends() {
        return scale == Scale.QUICK
                ? List.of(CHANNEL, IO_URING, EMULATED, BATCH, BATCH_VIRTUAL, LOG, CHANNEL_LOG)
                : List.copyOf(appending.keySet());
    }

    // The trials

    private List<Trial> transfers(Scenario scenario, List<String> names) {
        List<Trial> trials = new ArrayList<>();
        Job job = scenario.job();
        for (String name : names) {
            if (programs.containsKey(name)) {
                trials.add(in(scenario, new FioTrial(scenario.name(), name, programs.get(name),
                        job.on(files.ofOthers(job)), scale.choose(Duration.ofMillis(100), measured(), measured()))));
            } else if (transferring.containsKey(name) && !(name.equals(MAPPED) && job.direct())) {
                Entry entry = transferring.get(name);
                trials.add(in(scenario, workload(scenario, name, entry,
                        job.on(files.of(job)).arguments(entry.own()))));
            }
        }
        return trials;
    }

    private List<Trial> appends() {
        List<Trial> trials = new ArrayList<>();
        for (int threads : scale.choose(List.of(4), List.of(16), List.of(1, 4, 16, 64))) {
            Scenario scenario = Scenario.of(Questions.appended(threads), Questions.APPENDS, Job.direct(true, threads));
            for (String name : ofAppends()) {
                Entry entry = appending.get(name);
                if (entry != null) {
                    Path path = entry.workload().equals(LogAppends.class) ? files.log() : files.appended();
                    trials.add(in(scenario, workload(scenario, name, entry,
                            AppendWorkload.arguments(path, threads, entry.own()))));
                }
            }
        }
        return trials;
    }

    private Trial in(Scenario scenario, Trial trial) {
        return new QuestionTrial(scenario.figures(), trial, files, !scenario.job().direct());
    }

    private WorkloadTrial workload(Scenario scenario, String contestant, Entry entry, List<String> arguments) {
        return new WorkloadTrial(scenario.name(), contestant, entry.workload(), arguments, warmUp(scenario), measured(),
                scale, host).with(scenario.options());
    }

    /** {@return the time that the compiler needs: longer where fewer operations are performed, as it counts them} */
    private Duration warmUp(Scenario scenario) {
        Job job = scenario.job();
        boolean waits = scenario.figures().equals(Questions.APPENDS);
        if (job.depth() == MANY_THREADS) {
            // Most of the work is that of the threads' scheduler, which is compiled last.
            Duration all = Duration.ofSeconds(4);
            return scale.choose(Duration.ZERO, all, all);
        }
        int full;
        if (job.size() > Slot.BLOCK) {
            // Half of it with operations of a block.
            full = job.direct() ? 2000 : 1000;
        } else if (waits) {
            full = 500;
        } else {
            full = job.direct() ? 1500 : job.sequential() ? 500 : 2000;
        }
        return scale.choose(Duration.ZERO, Duration.ofMillis(Math.min(full, 1000)), Duration.ofMillis(full));
    }

    private Duration measured() {
        return scale.choose(scale.measured(), Duration.ofMillis(300), Duration.ofMillis(600));
    }
}
