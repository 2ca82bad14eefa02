package dev.sluice.benchmarks.file;

import dev.sluice.benchmarks.run.Recorder;
import dev.sluice.benchmarks.workload.Meter;
import dev.sluice.benchmarks.workload.Workload;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Reads or writes blocks in batches: within one, each slot begins its next operation when it has ended one. */
abstract class FileWorkload implements Workload {

    static final String PER_SECOND = "operations per second";
    static final String PER_PROCESSOR_SECOND = "operations per CPU second";
    static final String ALLOCATED = "allocated per operation";

    private static final int BATCH = 512;

    private final Path path;
    private final boolean writes;
    private final List<Slot> slots = new ArrayList<>();

    /**
     * Creates the slots.
     *
     * @param arguments as from {@link #arguments}
     */
    FileWorkload(List<String> arguments) throws IOException {
        path = Path.of(arguments.get(0));
        writes = Boolean.parseBoolean(arguments.get(1));
        long blocks = Files.size(path) / Slot.BLOCK;
        long author = System.nanoTime();
        for (int i = 0; i < Integer.parseInt(arguments.get(2)); i++) {
            slots.add(new Slot(i, blocks, writes, author));
        }
    }

    static List<String> arguments(Path path, boolean writes, int inFlight, String own) {
        return List.of(path.toString(), Boolean.toString(writes), Integer.toString(inFlight), own);
    }

    final Path path() {
        return path;
    }

    final boolean writes() {
        return writes;
    }

    final List<Slot> slots() {
        return slots;
    }

    @Override
    public final void work(Duration time, Recorder recorder) throws IOException, InterruptedException {
        Meter meter = new Meter();
        int each = BATCH / slots.size();
        long operations = 0;
        do {
            workBatch(each);
            operations += (long) each * slots.size();
        } while (meter.nanos() < time.toNanos());
        double perSecond = operations * (double) TimeUnit.SECONDS.toNanos(1);
        recorder.record(PER_SECOND, perSecond / meter.nanos());
        recorder.record(PER_PROCESSOR_SECOND, perSecond / meter.processorNanos());
        recorder.record(ALLOCATED, meter.allocated() / (double) operations);
        try (FileChannel file = FileChannel.open(path)) {
            for (Slot slot : slots) {
                slot.requireWritten(file);
            }
        }
    }

    /**
     * Works until each slot has done some operations.
     *
     * @param each the number
     */
    abstract void workBatch(int each) throws IOException, InterruptedException;
}
