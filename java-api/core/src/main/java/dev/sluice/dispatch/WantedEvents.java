package dev.sluice.dispatch;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.handle.HandleClosedException;
import java.io.IOException;

/**
 * What the handle set is to wait for on behalf of a registration: what the user is interested in, unless the user has
 * paused the handle, and without input while connections hold it back; and output as long as a connection waits to
 * send. So the user's interest and the library's are never mixed up. Changed under the lock of the registration.
 */
final class WantedEvents {

    volatile Interest interest;
    volatile boolean paused;
    /** For how many reasons no input is to be received. */
    int inputHolds;
    /** Whether a connection waits to send. */
    boolean output;

    WantedEvents(Interest interest) {
        this.interest = interest;
    }

    /** {@return the events with an interest, as {@link EventType} has them} */
    int events(Interest ofUser) {
        int events = paused ? 0 : EventType.of(ofUser);
        if (inputHolds > 0) {
            events &= ~EventType.READ;
        }
        return output ? events | EventType.WRITE : events;
    }

    /** Makes the handle set wait for them, if the registration is made: it begins with that. */
    void await(Interest ofUser, RegisteredHandle registered) throws IOException {
        Membership membership = registered.membership;
        if (membership == null) {
            return;
        }
        try {
            membership.setEvents(events(ofUser));
        } catch (IllegalStateException e) {
            if (membership.isValid()) {
                throw e;
            }
            // Another thread has closed the handle, and ends this.
            throw new HandleClosedException(registered.handle);
        }
    }
}
