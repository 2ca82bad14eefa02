package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Posix;
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

/** Executes operations on what is ready, whichever thread waits for that. Used inside. */
final class Emulation implements AutoCloseable {

    /** How often one handle is received from, sent to or accepted on, before others get their turn. */
    static final int ATTEMPT_BUDGET = 8;

    // What attempts use
    final Outcomes outcomes;
    final Posix posix = Bindings.current().posix();
    final OperatingSystem system = OperatingSystem.current();
    final Deadlines deadlines;
    final FilePool files;
    /** Its own threads, for calls that may take as long as a peer likes: opening a FIFO waits for its other end. */
    final FilePool opens;

    private final CancellationQueue toCancel = new CancellationQueue();

    /**
     * Creates an emulation without any operations.
     *
     * @param processor   receives the outcomes of the operations
     * @param readiness   what its threads wait with; woken up, they call {@link #resumePerformed}
     * @param fileThreads how many threads for operations on files, and as many again for opening them
     * @param deadlines   gets the timeouts
     */
    Emulation(OperationProcessor processor, SynchronousEventDemultiplexer readiness, int fileThreads,
            Deadlines deadlines) {
        String prefix = "sluice-" + processor.name();
        this.outcomes = processor.outcomes();
        this.deadlines = deadlines;
        this.files = new FilePool(prefix + "-file", fileThreads, readiness::wakeUp, outcomes::failed);
        this.opens = new FilePool(prefix + "-open", fileThreads, readiness::wakeUp, outcomes::failed);
    }

    /** Lets the next wait cancel an operation, which holds its resources until then. */
    void cancel(OperationSlot operation) {
        toCancel.add(operation);
    }

    /** {@return whether there is something for {@link #stopCancelled} to do} */
    boolean hasCancelled() {
        return !toCancel.isEmpty();
    }

    /** Completes those operations as cancelled that can be stopped. */
    void stopCancelled() {
        OperationSlot operation;
        while ((operation = toCancel.poll()) != null) {
            // It may have completed meanwhile, and even have been started again.
            boolean going = operation.isBegun() && operation.isCancelRequested();
            if (going && stops(Attempt.of(operation))) {
                outcomes.complete(operation, -Errno.ECANCELED.number());
            }
        }
    }

    private static boolean stops(Attempt<?> attempt) {
        if (attempt.awaited != 0) {
            attempt.association().endAwait(attempt);
            return true;
        }
        return attempt.stop();
    }

    /** Goes on with the operations on files that the pool's threads have performed. */
    void resumePerformed() {
        files.resumePerformed(outcomes);
        opens.resumePerformed(outcomes);
    }

    /**
     * Goes on with the operations that were waiting for these handles.
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
            // What has been taken must not be taken again if the next wait fails.
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

    /** {@return those of the events it waited for that may be waited for again} */
    private int resume(OperationSlot waiting, int events) {
        Attempt<?> attempt = Attempt.of(waiting);
        if (attempt == null || (attempt.awaited & events) == 0) {
            return 0;
        }
        int came = attempt.awaited & events;
        attempt.association().endAwait(attempt);
        try {
            return attempt.ready(came) ? came : 0;
        } catch (RuntimeException | Error e) {
            // The other operations and handles must still go on.
            outcomes.failed(waiting, e);
            return 0;
        }
    }

    /** Ends the threads that perform operations on files. */
    @Override
    public void close() {
        files.close();
        opens.close();
    }
}
