package dev.sluice.mechanism.operation;

import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SocketStream;
import dev.sluice.hook.HookFailure;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An operation on its way from its start to its completion. A subclass adds what its mechanism needs to remember. Used
 * only inside, except for the parts marked as open to any thread.
 */
public class NativeOperation extends PreparedOperation {

    /** Where an operation that has been started is. */
    enum Phase { STARTED, WAITING, TO_BEGIN, BEGUN, STARVING, COMPLETED }

    private static final Logger LOG = LoggerFactory.getLogger(NativeOperation.class);

    private final OperationProcessor processor;

    // Open to any thread
    private final AtomicLong ticketToCancel = new AtomicLong();
    private final AtomicBoolean cancelCommanded = new AtomicBoolean();
    final Command startCommand = new Command() {
        @Override
        void perform() {
            processor.operations().accept(NativeOperation.this);
        }
    };
    private final Command cancelCommand = new Command() {
        @Override
        void perform() {
            cancelCommanded.set(false);
            cancelStart(ticketToCancel.get());
        }

        @Override
        boolean repeats() {
            return cancelCommanded.compareAndSet(false, true);
        }
    };

    // Its place among others
    long key;
    Phase phase = Phase.COMPLETED;
    NativeOperation previous;
    NativeOperation following;
    /** The next one in an {@link OperationQueue}. */
    NativeOperation nextWaiting;
    /** Whether it is in a {@link CancellationQueue}, and the next one there. */
    boolean toCancel;
    NativeOperation nextToCancel;
    /** Its place among the {@link Deadlines}. */
    int deadlineIndex;
    private boolean cancelRequested;
    /** The gaps in its stream's output that were known when it was started. */
    private int knownGaps;
    /** The number of the gap that it leaves in its stream's output, 0 for none that is to be known. */
    private int gap;
    /** Whether the mechanism has been told of the request. */
    boolean cancelForwarded;
    /** What it fails for, where an error number says too little; or null. */
    private Throwable failure;

    /**
     * Makes an operation.
     *
     * @param processor the processor that will execute it
     */
    public NativeOperation(OperationProcessor processor) {
        super(processor);
        this.processor = processor;
    }

    // Open to any thread

    @Override
    final void start() {
        cancelRequested = false;
        knownGaps = association() == null ? 0 : association().knownGaps();
        cancelForwarded = false;
        phase = Phase.STARTED;
        processor.start(this);
    }

    @Override
    public final void cancel(long ticket) {
        if (!isInFlight(ticket)) {
            return;
        }
        if (processor.enterInside()) {
            try {
                cancelStart(ticket);
            } catch (StackOverflowError e) {
                processor.overflow = e;
                throw e;
            } finally {
                processor.leaveInside();
            }
            return;
        }
        // The latest start that is to be cancelled, since another thread may have seen, and cancelled, a later one.
        ticketToCancel.accumulateAndGet(ticket, Math::max);
        if (cancelCommanded.compareAndSet(false, true)) {
            processor.command(cancelCommand);
        }
    }

    private void cancelStart(long ticket) {
        assert processor.isInside();
        if (!isInFlight(ticket)) {
            return;
        }
        Phase seen = phase;
        VarHandle.loadLoadFence();
        if (!isInFlight(ticket)) {
            // It has completed, and was started again by another thread: the phase may be that of the new start.
            return;
        }
        if (seen == Phase.STARTED && kind().canBeCancelled()) {
            cancelRequested = true;
        } else {
            processor.operations().cancel(this);
        }
    }

    // Only inside

    final void collected() {
        if (gap > 0) {
            association().gapIsKnown(gap);
            gap = 0;
        }
        finished();
        processor.submission().countCollected();
    }

    /**
     * Takes over a connection that has been accepted.
     *
     * @param descriptor belongs to the stream from now on
     * @return the stream, or null if there is no memory for it: the connection is then closed, as if the peer had given
     *         it up
     */
    public final SocketStream adoptStream(long descriptor) {
        try {
            return acceptor().adopt(descriptor);
        } catch (OutOfMemoryError e) {
            HookFailure.log(LOG, "a connection is closed for want of memory", e);
            return null;
        }
    }

    /**
     * Takes over a file that has been opened.
     *
     * @param descriptor belongs to the file from now on
     * @return the file, or null if there is no memory for it
     */
    public final FileHandle adoptFile(long descriptor) {
        try {
            return FileHandle.adopt(descriptor, path(), openOptions());
        } catch (OutOfMemoryError e) {
            HookFailure.log(LOG, "a file is closed for want of memory", e);
            return null;
        }
    }

    final void setFailure(Throwable newFailure) {
        failure = newFailure;
    }

    /** {@return what it has failed for, null if its error number says all; asked once by its completion} */
    final Throwable takeFailure() {
        Throwable taken = failure;
        failure = null;
        return taken;
    }

    /** {@return what it has failed for, null if its error number says all} */
    final Throwable failure() {
        return failure;
    }

    /** {@return the number of gaps in its stream's output that the program knew of when it started this} */
    final int knownGaps() {
        return knownGaps;
    }

    /** It leaves a gap, behind which the program may send once it knows of it. */
    final void leavesGap(int number) {
        gap = number;
    }

    final void requestCancel() {
        cancelRequested = true;
    }

    /** {@return whether it should not be attempted again} */
    public final boolean isCancelRequested() {
        return cancelRequested;
    }

    /**
     * {@return what distinguishes it from other operations in flight, and from its own other starts; never negative}
     */
    public final long key() {
        return key;
    }

    /** {@return the operation accepted after this one on the same handle, or null} */
    public final NativeOperation following() {
        return following;
    }

    final Direction direction() {
        return kind().direction();
    }

    /** {@return whether it is in a {@link CancellationQueue}} */
    public final boolean isToCancel() {
        return toCancel;
    }

    /** {@return whether it is being executed} */
    public final boolean isBegun() {
        return phase == Phase.BEGUN;
    }
}
