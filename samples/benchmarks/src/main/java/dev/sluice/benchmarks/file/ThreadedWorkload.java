package dev.sluice.benchmarks.file;

import dev.sluice.benchmarks.workload.WorkingThreads;
import dev.sluice.benchmarks.workload.WorkingThreads.Kind;
import java.io.IOException;
import java.util.List;

/** Threads that wait for each operation: one for all slots, or one for each slot. */
abstract class ThreadedWorkload extends FileWorkload {

    private final Kind kind;
    private final WorkingThreads threads;

    /**
     * Creates the slots.
     *
     * @param arguments as from {@link Job#arguments}; the last one is a kind of threads
     */
    ThreadedWorkload(List<String> arguments) throws IOException {
        super(Job.of(arguments), Kind.valueOf(Job.own(arguments)) != Kind.ONE);
        kind = Kind.valueOf(Job.own(arguments));
        threads = new WorkingThreads(kind, deadline());
    }

    /**
     * Performs the operation of a slot. Each slot is used by one thread.
     *
     * @return the number of bytes that were transferred
     */
    abstract long transfer(Slot slot) throws IOException;

    /** Performs an operation of each slot in the calling thread. */
    void transferAll() throws IOException {
        for (Slot slot : slots()) {
            slot.begin();
            slot.end(transfer(slot));
        }
    }

    @Override
    final void prepare() {
        if (kind != Kind.ONE) {
            slots().forEach(slot -> threads.start(() -> {
                slot.begin();
                slot.end(transfer(slot));
            }));
        }
    }

    @Override
    final void run() throws IOException, InterruptedException {
        if (kind == Kind.ONE) {
            while (!deadline().isOver()) {
                transferAll();
            }
        } else {
            threads.run();
        }
    }
}
