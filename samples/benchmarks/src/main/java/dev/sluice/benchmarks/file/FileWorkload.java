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
import java.util.function.IntFunction;
import org.HdrHistogram.IntCountsHistogram;

/**
 * Reads or writes for a time: each slot begins its next operation when it has ended one. Half a second has few large
 * operations, and the compiler counts them; so a workload that has large ones warms up with operations of a block, too.
 */
abstract class FileWorkload implements Workload {

    private final Job job;
    private final Deadline deadline = new Deadline();
    private final List<Slot> measured;
    /** The slots with operations of a block; empty if those that are measured have them. */
    private final List<Slot> small;
    /** The slots that work now. */
    private List<Slot> slots;
    private final Computation computation;

    /**
     * Creates the slots.
     *
     * @param job     what they do
     * @param threads whether each slot has a thread of its own
     */
    FileWorkload(Job job, boolean threads) throws IOException {
        this.job = job;
        long author = System.nanoTime();
        IntCountsHistogram shared = Slot.histogram();
        List<Slot> all = slots(job, author, deadline, number -> threads ? Slot.histogram() : shared);
        measured = all;
        small = job.size() == Slot.BLOCK ? List.of()
                : slots(job.ofBlocks(), author, deadline, number -> all.get(number).latencies());
        slots = all;
        computation = job.computing() ? new Computation() : null;
    }

    private static List<Slot> slots(Job job, long author, Deadline deadline,
            IntFunction<IntCountsHistogram> latencies) throws IOException {
        long length = Files.size(job.path());
        AtomicLong cursor = new AtomicLong();
        List<Slot> slots = new ArrayList<>();
        for (int i = 0; i < job.depth(); i++) {
            slots.add(new Slot(i, job, length, author, cursor, deadline, latencies.apply(i)));
        }
        return slots;
    }

    final Job job() {
        return job;
    }

    final Deadline deadline() {
        return deadline;
    }

    /** {@return the slots that work now} */
    final List<Slot> slots() {
        return slots;
    }

    @Override
    public final void warmUp(Duration time, Recorder recorder) throws IOException, InterruptedException {
        if (small.isEmpty()) {
            work(time, recorder);
            return;
        }
        Duration half = time.dividedBy(2);
        slots = small;
        try {
            work(half, recorder);
        } finally {
            slots = measured;
        }
        work(half, recorder);
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
        Figures.record(meter, done() - before, slots.get(0).block().capacity(), recorder);
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
