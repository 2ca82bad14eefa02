package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.CachedFile;
import dev.sluice.demultiplexer.operation.CachedTransfers;
import dev.sluice.demultiplexer.operation.HandleAssociation;
import dev.sluice.demultiplexer.operation.OperationProcessor;
import dev.sluice.demultiplexer.operation.OperationSlot;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a handle, and its membership in the handle set that they wait in. Used inside.
 *
 * <p>In a level-triggered set, the handle stays registered for an event until that occurs while no operation waits for
 * it. A one-shot set reports a ready handle once, to one thread: the handle is rearmed, for all events that operations
 * wait for by then, once that thread has entered and continued the operations of the handle.
 */
final class EmulatedAssociation extends HandleAssociation {

    private final boolean oneShot;
    private final Membership membership;
    /** The events that the handle is registered for: those that operations wait for, and possibly others. */
    private int interest;
    /** Whether the set reports the handle; also while a thread to which it has been reported has not entered yet. */
    private boolean armed = true;
    /** Whether operations are being continued, after which a one-shot set is rearmed once for all of them. */
    private boolean resuming;
    private int polls;
    /** Null unless the handle is that of a file that has been read or written. */
    private @Nullable CachedFile cachedFile;

    EmulatedAssociation(OperationProcessor processor, Handle handle, SynchronousEventDemultiplexer readiness)
            throws IOException {
        super(processor, handle);
        oneShot = readiness.trigger() == Trigger.ONE_SHOT;
        try {
            membership = readiness.register(handle, 0, this);
        } catch (Throwable e) {
            abandon();
            throw e;
        }
    }

    /** {@inheritDoc} Removes the handle from the set. */
    @Override
    protected void ending() {
        if (membership != null) {
            membership.remove();
        }
    }

    /** {@return how the file is read and written by the given object} */
    CachedFile cachedFile(CachedTransfers transfers) {
        CachedFile file = cachedFile;
        if (file == null) {
            file = transfers.file(this);
            cachedFile = file;
        }
        return file;
    }

    /**
     * Makes an operation wait for readiness.
     *
     * @return 0, or a negated error number if the operation cannot wait
     */
    int await(Attempt<?> attempt, int events) {
        int result = arm(events);
        if (result == 0) {
            attempt.awaited = events;
            polls += attempt.isPoll() ? 1 : 0;
        }
        return result;
    }

    private int arm(int events) {
        return resuming || armed && (interest & events) == events ? 0 : setInterest(armed ? interest | events : events);
    }

    /** Called when an operation no longer waits. */
    void endAwait(Attempt<?> attempt) {
        attempt.awaited = 0;
        polls -= attempt.isPoll() ? 1 : 0;
    }

    /** Called when the set has reported the handle, before its operations are continued. */
    void reported() {
        armed = !oneShot;
        resuming = oneShot;
    }

    /**
     * Called after the operations of the handle have been continued.
     *
     * @param unexpected the events that have occurred, except for those that an operation waited for and may wait for
     *                   again
     * @return 0, or a negated error number if the operations that now want to wait cannot
     * @throws IOException if the system refuses to stop reporting unexpected events
     */
    int resumed(int unexpected) throws IOException {
        resuming = false;
        if (oneShot) {
            int events = awaited();
            return events == 0 ? 0 : setInterest(events);
        }
        // If these stayed registered, each wait would end immediately.
        int result = unexpected == 0 ? 0 : setInterest(interest & ~unexpected);
        if (result < 0) {
            throw new SystemCallException("withdrawal", toString(), result);
        }
        return 0;
    }

    boolean hasPolls() {
        return polls > 0;
    }

    /** {@return the events that operations wait for} */
    private int awaited() {
        int events = awaited(active(true)) | awaited(active(false));
        if (polls > 0) {
            for (OperationSlot each = first(); each != null; each = each.following()) {
                events |= awaited(each);
            }
        }
        return events;
    }

    private static int awaited(@Nullable OperationSlot operation) {
        Attempt<?> attempt = Attempt.of(operation);
        return attempt == null ? 0 : attempt.awaited;
    }

    /**
     * Registers the handle for other events.
     *
     * @return 0, or a negated error number
     */
    private int setInterest(int events) {
        try {
            membership.setEvents(events);
            // A one-shot set has reported the handle, and does so again only after this.
            membership.rearm();
            interest = events;
            armed = true;
            return 0;
        } catch (IllegalStateException e) {
            // Another thread is closing the handle or ending this association, and will have the waiting operations
            // cancelled.
            armed = true;
            return 0;
        } catch (IOException e) {
            restoreInterest();
            Errno error = e instanceof SystemCallException failed ? Errno.valueOf(failed.errorName()) : Errno.EIO;
            return -(error == Errno.UNKNOWN ? Errno.EIO : error).number();
        } catch (RuntimeException | Error e) {
            restoreInterest();
            throw e;
        }
    }

    /** Restores the registered events, because the set keeps requested events even if the system has refused them. */
    private void restoreInterest() {
        try {
            membership.setEvents(interest);
        } catch (IllegalStateException e) {
            // The handle has left the set in the meantime.
        } catch (IOException e) {
            // The system still has the previous events, which the next change updates.
        }
    }
}
