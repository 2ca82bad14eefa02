package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.Deadlines;
import dev.sluice.demultiplexer.operation.Execution;
import dev.sluice.demultiplexer.operation.HandleAssociation;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.operation.SingleThreadedProcessor;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.failure.CloseSteps;
import dev.sluice.handle.Handle;
import java.io.IOException;

/** Completion by readiness, for one loop thread: waits with a level-triggered synchronous demultiplexer. */
public final class EmulatedDemultiplexer extends SingleThreadedProcessor {

    /**
     * The maximum number of ready handles of one wait. All of them are received from before the first completion is
     * handled: with a thousand, the buffers would not fit into the processor's cache; with few, a set that scans all
     * its handles would do so too often.
     */
    private static final int READY_HANDLES = 128;

    private final SynchronousEventDemultiplexer readiness;
    private final ReadyBatch ready;
    private final Deadlines deadlines = new Deadlines();
    private final Emulation emulation;
    private final CloseSteps disposal;

    /**
     * Creates a demultiplexer with the name of the one that it waits with.
     *
     * @param readiness       an empty, level-triggered set, which the demultiplexer closes once it has been created
     * @param providedBuffers the sizes of the buffers for continuous receives
     * @param fileThreads     the maximum number of threads for operations on files, and of threads for opening them
     * @throws IllegalArgumentException if the set is not level-triggered
     */
    public EmulatedDemultiplexer(SynchronousEventDemultiplexer readiness, ProvidedBuffers.Size providedBuffers,
            int fileThreads) {
        super(readiness.name(), providedBuffers);
        // An operation that begins to wait must be continued even if the handle became ready before.
        if (readiness.trigger() != Trigger.LEVEL) {
            throw new IllegalArgumentException(readiness.name() + " is not level-triggered");
        }
        this.readiness = readiness;
        this.emulation = new Emulation(this, readiness, fileThreads, deadlines, false);
        this.disposal = new CloseSteps(emulation::close, readiness::close, this::freeReadyBatch);
        // Last, because nothing would free it if there were no memory for the others.
        this.ready = readiness.newReadyBatch(READY_HANDLES);
    }

    private void freeReadyBatch() {
        ready.close();
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
    protected void execute(long timeoutNanos) throws IOException {
        emulation.stopCancelled();
        emulation.announceSubmitted();
        if (!emulation.cached.beginIteration(hasCompleted())) {
            readiness.awaitAsOwner(ready, hasCompleted() ? 0 : emulation.bound(deadlines.bound(timeoutNanos)));
            emulation.resume(ready);
        }
        emulation.resumePerformed();
        deadlines.resumeDue();
        emulation.announceSubmitted();
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
}
