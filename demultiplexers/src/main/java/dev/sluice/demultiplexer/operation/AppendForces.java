package dev.sluice.demultiplexer.operation;

import dev.sluice.calls.Errno;
import org.jspecify.annotations.Nullable;

/**
 * The forces of the appends of one handle. An append lets the next one begin as soon as its own bytes have been
 * written. One force is executed at a time: it covers all appends that were written before it began, and the next one
 * those that have been written in the meantime.
 *
 * <p>The system reports only once for an open file that it could not write something. So if a force fails, the error
 * may be about any bytes that had been written by then, and all appends that have been begun fail, including one of
 * which only a part had been written. If there were two forces at the same time, one could get the report about the
 * bytes of the other, which would then succeed.
 *
 * <p>Used only inside.
 */
final class AppendForces {

    private final HandleAssociation file;
    /** The append that executes the current force, or will execute the next one; null if there is none. */
    private @Nullable OperationSlot forcing;
    /** The other appends that had been written before that force began, in order. */
    private final OperationQueue covered = new OperationQueue();
    /** The appends that have been written since then, in order. */
    private final OperationQueue written = new OperationQueue();
    /** The append that was being written when a force failed; null if there is none. */
    private @Nullable OperationSlot doubtful;
    /** The result of that force. */
    private long failure;

    private AppendForces(HandleAssociation file) {
        this.file = file;
    }

    /** {@return the forces of a handle, which has some from the first append on that is forced} */
    static AppendForces of(HandleAssociation file) {
        AppendForces forces = file.appendForces;
        if (forces == null) {
            forces = new AppendForces(file);
            file.appendForces = forces;
        }
        return forces;
    }

    /** {@return whether an append executes the next force; then no other append does until that one has completed} */
    boolean reserve(OperationSlot append) {
        if (forcing == null && append != doubtful) {
            forcing = append;
        }
        return forcing == append;
    }

    /**
     * Called when all bytes of an append have been written.
     *
     * @param append an append that has been begun, has not been cancelled, and is not being executed
     * @return whether its force is to be executed now; if not, it waits for the force of another append, or has
     *         completed
     */
    boolean begin(OperationSlot append) {
        if (append == doubtful) {
            append.processor.operations.complete(append, failure);
            return false;
        }
        if (reserve(append)) {
            return true;
        }
        // First, because there might be no stack for the call: an operation that is being executed then fails.
        written.add(append);
        append.phase = OperationSlot.Phase.AWAITING_FORCE;
        return false;
    }

    /** Removes an append that waits for the force of another one, and is about to complete. */
    void leave(OperationSlot append) {
        covered.remove(append);
        written.remove(append);
    }

    /**
     * Called when any operation on the handle has completed.
     *
     * @param operation the operation
     * @param result    the result of its last call
     */
    void ended(OperationSlot operation, long result) {
        if (operation == doubtful) {
            doubtful = null;
        }
        if (operation != forcing) {
            return;
        }
        forcing = null;
        if (result >= 0) {
            completeCovered();
        } else if (!Errno.ECANCELED.is(result)) {
            failWritten(result);
        }
        forceNext();
    }

    private void completeCovered() {
        OperationSlot append;
        while ((append = covered.poll()) != null) {
            append.processor.operations.complete(append, append.arguments().done());
        }
    }

    /** Fails the appends whose bytes, or some of them, may have been written before a force failed. */
    private void failWritten(long result) {
        OperationSlot writing = file.active(false);
        if (writing != null && writing.isBegun()) {
            doubtful = writing;
            failure = result;
        }
        failAll(covered, result);
        failAll(written, result);
    }

    private static void failAll(OperationQueue appends, long result) {
        OperationSlot append;
        while ((append = appends.poll()) != null) {
            append.processor.operations.complete(append, result);
        }
    }

    /** Lets the first of the appends that need a force execute one for all of them. */
    private void forceNext() {
        OperationSlot append;
        while ((append = written.poll()) != null) {
            covered.add(append);
        }
        forcing = covered.poll();
        if (forcing != null) {
            forcing.processor.operations.toBegin(forcing);
        }
    }
}
