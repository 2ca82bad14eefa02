package dev.sluice.demultiplexer.emulated;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.operation.HandleAssociation;
import dev.sluice.demultiplexer.operation.OperationProcessor;
import dev.sluice.demultiplexer.operation.OperationSlot;
import dev.sluice.demultiplexer.spi.Registration;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;

/** A handle's operations, and its membership in the handle set that they wait in. Used inside. */
abstract class EmulatedAssociation extends HandleAssociation {

    private final Registration registration;
    /** What the handle is registered for: the events being waited for, and perhaps some that no longer are. */
    private int interest;
    private int polls;

    EmulatedAssociation(OperationProcessor processor, Handle handle, SynchronousEventDemultiplexer readiness)
            throws IOException {
        super(processor, handle);
        try {
            registration = readiness.register(handle, 0, this);
        } catch (Throwable e) {
            abandon();
            throw e;
        }
    }

    /** Leaves the handle set. May be called by any thread. */
    final void leave() {
        if (registration != null) {
            registration.remove();
        }
    }

    /**
     * Makes an operation wait for readiness.
     *
     * @return 0, or if it cannot wait, a negated error number
     */
    final int await(Attempt attempt, int events) {
        int result = arm(events);
        if (result == 0) {
            attempt.setAwaited(events);
            polls += attempt.isPoll() ? 1 : 0;
        }
        return result;
    }

    /**
     * Makes the set report these events, too.
     *
     * @return 0, or a negated error number
     */
    abstract int arm(int events);

    /** The operation no longer waits. */
    final void endAwait(Attempt attempt) {
        attempt.setAwaited(0);
        polls -= attempt.isPoll() ? 1 : 0;
    }

    /** The set has reported the handle; the operations that waited for it are about to go on. */
    abstract void reported();

    /**
     * The operations have gone on.
     *
     * @param unexpected the events that occurred but that no operation had waited for, or can wait for again
     * @return 0, or if the operations that now want to wait cannot, a negated error number
     * @throws IOException if the system refuses to stop reporting what nobody waits for
     */
    abstract int resumed(int unexpected) throws IOException;

    final boolean hasPolls() {
        return polls > 0;
    }

    /** {@return the events that operations wait for} */
    final int awaited() {
        int events = awaited(active(true)) | awaited(active(false));
        if (polls > 0) {
            for (OperationSlot each = first(); each != null; each = each.following()) {
                events |= awaited(each);
            }
        }
        return events;
    }

    private static int awaited(OperationSlot operation) {
        Attempt attempt = Attempt.of(operation);
        return attempt == null ? 0 : attempt.awaited();
    }

    /** {@return what the handle is registered for} */
    final int interest() {
        return interest;
    }

    /**
     * Registers the handle for other events.
     *
     * @return 0, or a negated error number
     */
    final int setInterest(int events) {
        try {
            registration.setEvents(events);
            // For a set that reports each readiness once, and has done so.
            registration.rearm();
            interest = events;
            return 0;
        } catch (IllegalStateException e) {
            // Another thread is closing the handle or ending this association. The command to cancel what waits is on
            // its way.
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
            registration.setEvents(interest);
        } catch (IllegalStateException e) {
            // The handle has left the set meanwhile.
        } catch (IOException e) {
            // The system still has the previous events, and the next change tells it anew.
        }
    }
}
