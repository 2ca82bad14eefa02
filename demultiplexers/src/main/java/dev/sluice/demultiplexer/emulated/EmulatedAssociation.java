package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.HandleAssociation;
import dev.sluice.demultiplexer.operation.OperationProcessor;
import dev.sluice.demultiplexer.operation.OperationSlot;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;

/**
 * A handle's operations, and its membership in the handle set that they wait in. Used inside.
 *
 * <p>In a level-triggered set, it is registered for an event until one comes that no operation waits for. A one-shot
 * set reports a ready handle to one thread and then falls silent: it is rearmed, with everything that is waited for by
 * then, once that thread has entered and has continued the handle's operations.
 */
final class EmulatedAssociation extends HandleAssociation {

    private final boolean oneShot;
    private final Membership membership;
    /** What the handle is registered for: the events being waited for, and perhaps some that no longer are. */
    private int interest;
    /** Whether the set reports the handle, or has reported it to a thread that has not entered yet. */
    private boolean armed = true;
    /** Whether operations go on, after which a one-shot set is rearmed once for all of them. */
    private boolean resuming;
    private int polls;

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

    /** Leaves the handle set. */
    @Override
    protected void ending() {
        if (membership != null) {
            membership.remove();
        }
    }

    /**
     * Makes an operation wait for readiness.
     *
     * @return 0, or if it cannot wait, a negated error number
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

    /** The operation no longer waits. */
    void endAwait(Attempt<?> attempt) {
        attempt.awaited = 0;
        polls -= attempt.isPoll() ? 1 : 0;
    }

    /** The set has reported the handle; the operations that waited for it are about to go on. */
    void reported() {
        armed = !oneShot;
        resuming = oneShot;
    }

    /**
     * Called after the operations have been continued.
     *
     * @param unexpected the events that occurred but that no operation had waited for, or can wait for again
     * @return 0, or if the operations that now want to wait cannot, a negated error number
     * @throws IOException if the system refuses to stop reporting events that no operation waits for
     */
    int resumed(int unexpected) throws IOException {
        resuming = false;
        if (oneShot) {
            int events = awaited();
            return events == 0 ? 0 : setInterest(events);
        }
        // Waiting for these any longer would make a busy loop.
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

    private static int awaited(OperationSlot operation) {
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
            // For a set that reports each readiness once, and has done so.
            membership.rearm();
            interest = events;
            armed = true;
            return 0;
        } catch (IllegalStateException e) {
            // Another thread is closing the handle or ending this association. The command to cancel what waits is on
            // its way.
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

    /** Needed since the set remembers what it was asked for even if the system refused it. */
    private void restoreInterest() {
        try {
            membership.setEvents(interest);
        } catch (IllegalStateException e) {
            // The handle has left the set in the meantime.
        } catch (IOException e) {
            // The system still has the previous events, and the next change updates them.
        }
    }
}
