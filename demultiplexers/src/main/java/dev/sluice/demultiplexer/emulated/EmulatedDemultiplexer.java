package dev.sluice.demultiplexer.emulated;

import dev.sluice.demultiplexer.operation.Arguments;
import dev.sluice.demultiplexer.operation.Deadlines;
import dev.sluice.demultiplexer.operation.Execution;
import dev.sluice.demultiplexer.operation.HandleAssociation;
import dev.sluice.demultiplexer.operation.OperationSlot;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.operation.SingleThreadedProcessor;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.failure.CloseSteps;
import dev.sluice.handle.Handle;
import java.io.IOException;

/** Completion through readiness, for one loop thread: waits with a level-triggered synchronous demultiplexer. */
public final class EmulatedDemultiplexer extends SingleThreadedProcessor {

    /**
     * What one wait reports is received from before any of it is handled. With a thousand, the buffers that this takes
     * would leave the processor's cache; with few, a set that looks at each of its handles would do so too often.
     */
    private static final int READY_HANDLES = 128;

    private final SynchronousEventDemultiplexer readiness;
    private final ReadyBatch ready;
    private final Deadlines deadlines = new Deadlines();
    private final Emulation emulation;
    private final CloseSteps disposal;

    /**
     * Creates a demultiplexer that has the name of the one it waits with.
     *
     * @param readiness       an empty, level-triggered set; it belongs to this demultiplexer from now on
     * @param providedBuffers for continuous receives
     * @param fileThreads     how many threads for operations on files, and as many again for opening them
     * @throws IllegalArgumentException if the set is not level-triggered
     */
    public EmulatedDemultiplexer(SynchronousEventDemultiplexer readiness, ProvidedBuffers.Size providedBuffers,
            int fileThreads) {
        super(readiness.name(), providedBuffers);
        // A waiting operation must learn of readiness that existed before.
        if (readiness.trigger() != Trigger.LEVEL) {
            throw new IllegalArgumentException(readiness.name() + " is not level-triggered");
        }
        this.readiness = readiness;
        ReadyBatch allocated = null;
        try {
            allocated = readiness.newReadyBatch(READY_HANDLES);
            this.ready = allocated;
            this.emulation = new Emulation(this, readiness, fileThreads, deadlines);
            this.disposal = new CloseSteps(emulation::close, readiness::close, ready::close);
        } catch (Throwable e) {
            readiness.close();
            if (allocated != null) {
                allocated.close();
            }
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
    protected void execute(long timeoutNanos) throws IOException {
        emulation.stopCancelled();
        readiness.awaitAsOwner(ready, hasCompleted() ? 0 : deadlines.bound(timeoutNanos));
        emulation.resume(ready);
        emulation.resumePerformed();
        OperationSlot due;
        while ((due = deadlines.pollDue()) != null) {
            outcomes().complete(due, 0);
        }
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
}
