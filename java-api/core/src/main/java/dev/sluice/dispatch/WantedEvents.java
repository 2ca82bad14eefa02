package dev.sluice.dispatch;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.handle.HandleClosedException;
import java.io.IOException;

/**
 * The events that the handle set waits for on behalf of a registration: the user's interest, unless the user has paused
 * the registration, without input while a connection holds it, and with output while a connection waits to send. This
 * keeps the user's interest and the library's separate. Changed under the lock of the registration.
 */
final class WantedEvents {

    volatile Interest interest;
    volatile boolean paused;
    /** Number of reasons for which input is not received. */
    int inputHolds;
    /** Whether a connection waits to send. */
    boolean awaitsOutput;

    WantedEvents(Interest interest) {
        this.interest = interest;
    }

    /** {@return the events for an interest, as bits of {@link EventType}} */
    int events(Interest ofUser) {
        int events = paused ? 0 : EventType.of(ofUser);
        if (inputHolds > 0) {
            events &= ~EventType.READ;
        }
        return awaitsOutput ? events | EventType.WRITE : events;
    }

    /** Updates the handle set, if the registration has been made; otherwise the registration will use the events. */
    void apply(Interest ofUser, RegisteredHandle registered) throws IOException {
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
            // Another thread has closed the handle, and is ending the registration.
            throw new HandleClosedException(registered.handle);
        }
    }
}
