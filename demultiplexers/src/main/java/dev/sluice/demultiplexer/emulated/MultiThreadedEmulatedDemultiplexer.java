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
 * Completion by readiness, for any number of threads: each waits with a one-shot synchronous demultiplexer, and enters
 * to execute operations on the handles that are ready.
 */
public final class MultiThreadedEmulatedDemultiplexer extends MultiThreadedProcessor {

    /**
     * The maximum number of ready handles of one wait, so that one thread does not take all of them while others sleep.
     */
    private static final int READY_HANDLES = 128;

    private final SynchronousEventDemultiplexer readiness;
    private final Emulation emulation;
    private final CloseSteps disposal;

    /**
     * Creates a demultiplexer with the name of the one that it waits with.
     *
     * @param readiness       an empty one-shot set, which the demultiplexer closes once it has been created
     * @param providedBuffers the sizes of the buffers for continuous receives
     * @param fileThreads     the maximum number of threads for operations on files, and of threads for opening them
     * @throws IllegalArgumentException if the set is not one-shot
     */
    public MultiThreadedEmulatedDemultiplexer(SynchronousEventDemultiplexer readiness,
            ProvidedBuffers.Size providedBuffers, int fileThreads) {
        super(readiness.name(), VectorForm.POSIX, providedBuffers);
        // A handle that has been reported to one thread must not be reported to others until that thread has continued
        // its operations.
        if (readiness.trigger() != Trigger.ONE_SHOT) {
            throw new IllegalArgumentException(readiness.name() + " is not one-shot");
        }
        this.readiness = readiness;
        this.emulation = new Emulation(this, readiness, fileThreads, deadlines(), true);
        this.disposal = new CloseSteps(emulation::close, readiness::close);
        reserveForClose();
    }

    @Override
    protected HandleAssociation newAssociation(Handle handle) throws IOException {
        return new EmulatedAssociation(this, handle, readiness);
    }

    @Override
    protected Execution<?> newExecution(Arguments arguments) {
        return Kinds.newAttempt(emulation, arguments);
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
    protected long beginWait(CollectedCompletions progress, long timeoutNanos) {
        emulation.announceSubmitted();
        return timeoutNanos;
    }

    @Override
    protected boolean handOver(boolean othersWait) {
        emulation.announceSubmitted();
        return false;
    }

    @Override
    protected void await(CollectedCompletions progress, long timeoutNanos) throws IOException {
        readiness.awaitReady(((ReadinessCompletions) progress).ready, timeoutNanos);
    }

    @Override
    protected boolean take(CollectedCompletions progress) throws IOException {
        emulation.stopCancelled();
        // First, so that operations that are started all the time do not leave nothing for those that wait.
        emulation.cached.beginIteration(false);
        emulation.resume(((ReadinessCompletions) progress).ready);
        emulation.resumePerformed();
        // The set does not report whether it was woken up.
        return true;
    }

    @Override
    protected void signal() {
        readiness.wakeUp();
    }

    @Override
    protected boolean endsWithItsDisposal() {
        // The disposal waits for the threads of the pools, except for abandoned calls, which use no memory of
        // operations. All other calls are made inside.
        return true;
    }

    @Override
    protected void dispose() {
        disposal.run();
    }

    /** A batch of completions, and the batch of ready handles of the wait. */
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
