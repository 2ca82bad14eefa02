package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Posix;
import dev.sluice.demultiplexer.operation.CachedTransfers;
import dev.sluice.demultiplexer.operation.CancellationQueue;
import dev.sluice.demultiplexer.operation.Deadlines;
import dev.sluice.demultiplexer.operation.FilePool;
import dev.sluice.demultiplexer.operation.OperationProcessor;
import dev.sluice.demultiplexer.operation.OperationSlot;
import dev.sluice.demultiplexer.operation.Outcomes;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.system.OperatingSystem;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Executes operations on ready handles, for both emulated demultiplexers. Used inside. */
final class Emulation implements AutoCloseable {

    /** The maximum number of receives, sends or accepts on one handle before other handles are served. */
    static final int ATTEMPT_BUDGET = 8;

    // Used by attempts
    final Outcomes outcomes;
    final Posix posix = Bindings.current().posix();
    final OperatingSystem system = OperatingSystem.current();
    final Deadlines deadlines;
    final CachedTransfers cached;
    final FilePool files;
    /**
     * The threads for opening files, whose duration may depend on another process: opening a FIFO waits for its other
     * end.
     */
    final FilePool opens;

    private final CancellationQueue toCancel = new CancellationQueue();

    /**
     * Creates an emulation without any operations.
     *
     * @param processor   receives the outcomes of operations
     * @param readiness   the set that threads of the processor wait with; a thread that is woken up calls
     *                    {@link #resumePerformed}
     * @param fileThreads the maximum number of threads for operations on files, and of threads for opening them
     * @param deadlines   the pending timeouts
     * @param multiThreaded whether several threads run the processor
     */
    Emulation(OperationProcessor processor, SynchronousEventDemultiplexer readiness, int fileThreads,
            Deadlines deadlines, boolean multiThreaded) {
        String prefix = "sluice-" + processor.name();
        this.outcomes = processor.outcomes();
        this.deadlines = deadlines;
        this.cached = new CachedTransfers(Bindings.current(), true, multiThreaded);
        this.files = new FilePool(prefix + "-file", fileThreads, readiness::wakeUp, outcomes::failed);
        this.opens = new FilePool(prefix + "-open", fileThreads, readiness::wakeUp, outcomes::failed);
    }

    /** Makes the next wait cancel an operation, which keeps its resources until then. */
    void cancel(OperationSlot operation) {
        toCancel.add(operation);
    }

    /** {@return whether there is something for {@link #stopCancelled} to do} */
    boolean hasCancelled() {
        return !toCancel.isEmpty();
    }

    /** Completes cancelled operations, if they can be stopped. */
    void stopCancelled() {
        OperationSlot operation;
        while ((operation = toCancel.poll()) != null) {
            // The operation may have completed in the meantime, and even have been started again.
            boolean inProgress = operation.isBegun() && operation.isCancelRequested();
            if (inProgress && stops(operation)) {
                outcomes.complete(operation, -Errno.ECANCELED.number());
            }
        }
    }

    private static boolean stops(OperationSlot operation) {
        Attempt<?> attempt = Attempt.of(operation);
        assert attempt != null;
        if (attempt.awaited != 0) {
            attempt.association().endAwait(attempt);
            return true;
        }
        return attempt.stop();
    }

    /** Wakes the threads for which calls have been submitted. Must be called before each wait. */
    void announceSubmitted() {
        files.announce();
        opens.announce();
    }

    /** {@return the maximum time of a wait of the only loop thread, given the timeout; see {@link FilePool#bound}} */
    long bound(long timeoutNanos) {
        return opens.bound(files.bound(timeoutNanos));
    }

    /** Continues the operations on files whose calls have returned. */
    void resumePerformed() {
        files.resumePerformed(outcomes);
        opens.resumePerformed(outcomes);
    }

    /**
     * Continues the operations that waited for the given handles.
     *
     * @throws IOException if the system refuses to change the set
     */
    void resume(ReadyBatch ready) throws IOException {
        try {
            for (int i = 0; i < ready.size(); i++) {
                if (ready.membership(i).isValid()) {
                    resume((EmulatedAssociation) ready.membership(i).attachment(), ready.events(i));
                }
            }
        } finally {
            // Cleared even if this fails: readiness that has been handled must not be handled again if the next wait
            // fails.
            ready.clear();
        }
    }

    private void resume(EmulatedAssociation association, int events) throws IOException {
        association.reported();
        int expected = resume(association.active(true), events) | resume(association.active(false), events);
        if (association.hasPolls()) {
            OperationSlot operation = association.first();
            while (operation != null) {
                // A poll completes and leaves the list.
                OperationSlot following = operation.following();
                Attempt<?> attempt = Attempt.of(operation);
                if (attempt != null && attempt.isPoll()) {
                    expected |= resume(operation, events);
                }
                operation = following;
            }
        }
        int failure = resumed(association, events & ~expected);
        if (failure < 0) {
            failWaiting(association, failure);
        }
    }

    private int resumed(EmulatedAssociation association, int unexpected) throws IOException {
        try {
            return association.resumed(unexpected);
        } catch (RuntimeException | Error e) {
            outcomes.failed(e);
            return -Errno.EIO.number();
        }
    }

    private void failWaiting(EmulatedAssociation association, int failure) {
        OperationSlot operation = association.first();
        while (operation != null) {
            OperationSlot following = operation.following();
            Attempt<?> attempt = Attempt.of(operation);
            if (attempt != null && attempt.awaited != 0) {
                association.endAwait(attempt);
                outcomes.complete(operation, failure);
            }
            operation = following;
        }
    }

    /** {@return the events that the operation waited for and may wait for again} */
    private int resume(@Nullable OperationSlot waiting, int events) {
        Attempt<?> attempt = Attempt.of(waiting);
        if (waiting == null || attempt == null || (attempt.awaited & events) == 0) {
            return 0;
        }
        int came = attempt.awaited & events;
        attempt.association().endAwait(attempt);
        try {
            return attempt.ready(came) ? came : 0;
        } catch (RuntimeException | Error e) {
            // Other operations and handles must still be continued.
            outcomes.failed(waiting, e);
            return 0;
        }
    }

    /** Ends the threads that perform operations on files. */
    @Override
    public void close() {
        files.close();
        opens.close();
        cached.close();
    }
}
