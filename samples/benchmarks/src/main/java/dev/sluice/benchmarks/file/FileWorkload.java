package dev.sluice.benchmarks.file;

import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.workload.Deadline;
import dev.sluice.benchmarks.workload.Meter;
import dev.sluice.benchmarks.workload.Workload;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.IntCountsHistogram;

/** Reads or writes for a time: each slot begins its next operation when it has ended one. */
abstract class FileWorkload implements Workload {

    private final Job job;
    private final Deadline deadline = new Deadline();
    private final List<Slot> slots = new ArrayList<>();
    private final Computation computation;

    /**
     * Creates the slots.
     *
     * @param job     what they do
     * @param threads whether each slot has a thread of its own
     */
    FileWorkload(Job job, boolean threads) throws IOException {
        this.job = job;
        long length = Files.size(job.path());
        long author = System.nanoTime();
        AtomicLong cursor = new AtomicLong();
        IntCountsHistogram shared = Slot.histogram();
        for (int i = 0; i < job.depth(); i++) {
            slots.add(new Slot(i, job, length, author, cursor, deadline, threads ? Slot.histogram() : shared));
        }
        computation = job.computing() ? new Computation() : null;
    }

    final Job job() {
        return job;
    }

    final Deadline deadline() {
        return deadline;
    }

    final List<Slot> slots() {
        return slots;
    }

    @Override
    public final void work(Duration time, Recorder recorder) throws IOException, InterruptedException {
        slots.forEach(slot -> slot.latencies().reset());
        long before = done();
        prepare();
        if (computation != null) {
            computation.start();
        }
        Meter meter = new Meter();
        deadline.set(System.nanoTime() + time.toNanos());
        run();
        Figures.record(meter, done() - before, job.size(), recorder);
        if (computation != null) {
            recorder.record(Figures.COMPUTED, computation.stop());
        }
        recordLatencies(recorder);
        try (FileChannel file = FileChannel.open(job.path(), job.ofChannel())) {
            for (Slot slot : slots) {
                slot.requireWritten(file);
            }
        }
    }

    private long done() {
        return slots.stream().mapToLong(Slot::done).sum();
    }

    private void recordLatencies(Recorder recorder) {
        IntCountsHistogram all = Slot.histogram();
        slots.stream().map(Slot::latencies).distinct().forEach(all::add);
        Figures.recordLatencies(all, recorder);
    }

    /** Prepares {@link #run}: what has to be there before the time is taken. */
    void prepare() {
    }

    /** Works until the deadline is over, and until all operations have ended. */
    abstract void run() throws IOException, InterruptedException;
}
