package dev.sluice.demultiplexers.emulated;

import dev.sluice.calls.Errno;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.Registration;
import dev.sluice.demultiplexer.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexers.operation.HandleAssociation;
import dev.sluice.demultiplexers.operation.OperationProcessor;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;

/** A handle's operations, and its membership in the handle set that they wait in. For the loop thread. */
final class EmulatedAssociation extends HandleAssociation {

    private final Registration registration;
    /** What the handle is registered for: what is waited for, and perhaps what was. */
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

    /** Leaves the handle set. From any thread. */
    void leave() {
        if (registration != null) {
            registration.remove();
        }
    }

    /**
     * Has an operation wait for readiness.
     *
     * @return 0, or the negated error number of why it cannot
     */
    int await(EmulatedOperation operation, int events) {
        int result = (interest & events) == events ? 0 : setInterest(interest | events);
        if (result == 0) {
            operation.awaited = events;
            polls += operation.type() == OperationType.POLL ? 1 : 0;
        }
        return result;
    }

    /** The operation waits no more. */
    void endAwait(EmulatedOperation operation) {
        operation.awaited = 0;
        polls -= operation.type() == OperationType.POLL ? 1 : 0;
    }

    boolean hasPolls() {
        return polls > 0;
    }

    /**
     * Events came that no operation waits for. Waiting for them any longer would be a busy loop.
     *
     * @throws IOException if the system refuses
     */
    void withdraw(int events) throws IOException {
        int result = setInterest(interest & ~events);
        if (result < 0) {
            throw new SystemCallException("withdrawal", toString(), result);
        }
    }

    private int setInterest(int events) {
        try {
            registration.setEvents(events);
            interest = events;
            return 0;
        } catch (IllegalStateException e) {
            // Another thread is closing the handle or ending this. The command to cancel what waits is on its way.
            return 0;
        } catch (IOException e) {
            restoreInterest();
            Errno error = e instanceof SystemCallException failed ? failed.error() : Errno.EIO;
            return -(error == Errno.UNKNOWN ? Errno.EIO : error).number();
        }
    }

    /** The set remembers what it was asked for even if the system has refused it. */
    private void restoreInterest() {
        try {
            registration.setEvents(interest);
        } catch (IllegalStateException e) {
            // Left meanwhile.
        } catch (IOException e) {
            throw new IllegalStateException("what the system has already needs no call: " + this, e);
        }
    }
}
