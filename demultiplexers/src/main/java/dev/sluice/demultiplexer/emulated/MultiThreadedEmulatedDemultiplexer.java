package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.CollectedCompletions;
import dev.sluice.demultiplexer.operation.Execution;
import dev.sluice.demultiplexer.operation.HandleAssociation;
import dev.sluice.demultiplexer.operation.MultiThreadedProcessor;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.operation.VectorForm;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.failure.CloseSteps;
import dev.sluice.handle.Handle;
import java.io.IOException;

/**
 * Completion through readiness, for any number of threads: each waits with a one-shot synchronous demultiplexer, and
 * enters to execute operations on what is ready.
 */
public final class MultiThreadedEmulatedDemultiplexer extends MultiThreadedProcessor {

    /** Number of ready handles that one wait reports, so that one thread does not take all while others sleep. */
    private static final int READY_HANDLES = 128;

    private final SynchronousEventDemultiplexer readiness;
    private final Emulation emulation;
    private final CloseSteps disposal;

    /**
     * Creates a demultiplexer that has the name of the one it waits with.
     *
     * @param readiness       an empty one-shot set; it belongs to this demultiplexer from now on
     * @param providedBuffers for continuous receives
     * @param fileThreads     how many threads for operations on files, and as many again for opening them
     * @throws IllegalArgumentException if the set is not one-shot
     */
    public MultiThreadedEmulatedDemultiplexer(SynchronousEventDemultiplexer readiness,
            ProvidedBuffers.Size providedBuffers, int fileThreads) {
        super(readiness.name(), VectorForm.POSIX, providedBuffers);
        // Readiness that one thread receives must not be reported to others until that thread has continued the
        // operations.
        if (readiness.trigger() != Trigger.ONE_SHOT) {
            throw new IllegalArgumentException(readiness.name() + " is not one-shot");
        }
        this.readiness = readiness;
        try {
            this.emulation = new Emulation(this, readiness, fileThreads, deadlines());
            this.disposal = new CloseSteps(emulation::close, readiness::close);
            reserveForClose();
        } catch (Throwable e) {
            readiness.close();
            throw e;
        }
    }

    @Override
    protected HandleAssociation newAssociation(Handle handle) throws IOException {
        return new EmulatedAssociation(this, handle, readiness);
    }

    @Override
    protected Execution<?> newExecution(Arguments asked) {
        return Kinds.newAttempt(emulation, asked);
    }

    @Override
    protected boolean hasToTake() {
        return emulation.hasCancelled();
    }

    // Waiting

    @Override
    public CollectedCompletions newCompletions(int capacity) {
        return new ReadinessCompletions(capacity);
    }

    @Override
    protected void await(CollectedCompletions progress, long timeoutNanos) throws IOException {
        readiness.awaitReady(((ReadinessCompletions) progress).ready, timeoutNanos);
    }

    @Override
    protected boolean take(CollectedCompletions progress) throws IOException {
        emulation.stopCancelled();
        emulation.resume(((ReadinessCompletions) progress).ready);
        emulation.resumePerformed();
        // The set does not tell whether it was woken up.
        return true;
    }

    @Override
    protected void signal() {
        readiness.wakeUp();
    }

    @Override
    protected boolean endsWithItsDisposal() {
        // The disposal waits for the pool's threads, unless what they do concerns no operation any more, and all other
        // calls are made by this class itself.
        return true;
    }

    @Override
    protected void dispose() {
        disposal.run();
    }

    /** Completions, and the ready handles that they come from. */
    private final class ReadinessCompletions extends CollectedCompletions {

        private final ReadyBatch ready;

        ReadinessCompletions(int capacity) {
            super(MultiThreadedEmulatedDemultiplexer.this, capacity);
            ready = readiness.newReadyBatch(Math.min(capacity, READY_HANDLES));
        }

        @Override
        public void close() {
            super.close();
            ready.close();
        }
    }
}
