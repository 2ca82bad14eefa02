package dev.sluice.demultiplexer.kqueue;

import dev.sluice.calls.PerSystem;
import dev.sluice.calls.layout.Kevent;
import dev.sluice.calls.layout.KqueueConstants;
import dev.sluice.demultiplexer.spi.EventType;
import java.nio.ByteBuffer;

/** Converts between the library's event types and the filters of kqueue. */
final class Filters {

    /** The maximum number of changes of one handle in a call: for each of its filters, a deletion and an addition. */
    static final int MAX_CHANGES = 2 * Integer.bitCount(EventType.IO);

    private static final boolean HAS_EXCEPT = KqueueConstants.EVFILT_EXCEPT != PerSystem.NONE;

    private Filters() {
    }

    /** {@return the events for which there are filters} */
    static int known() {
        return HAS_EXCEPT ? EventType.IO : EventType.READ | EventType.WRITE;
    }

    /** {@return the filter for one event} */
    static int filter(int event) {
        return switch (event) {
            case EventType.READ -> KqueueConstants.EVFILT_READ;
            case EventType.WRITE -> KqueueConstants.EVFILT_WRITE;
            default -> KqueueConstants.EVFILT_EXCEPT;
        };
    }

    /** {@return the event that a filter is for} */
    static int event(int filter) {
        if (filter == KqueueConstants.EVFILT_READ) {
            return EventType.READ;
        }
        return filter == KqueueConstants.EVFILT_WRITE ? EventType.WRITE : EventType.EXCEPTION;
    }

    /** {@return the filter flags for one event} */
    static int notes(int event) {
        return event == EventType.EXCEPTION ? KqueueConstants.NOTE_OOB : 0;
    }

    /**
     * Converts an event to event types. A handle with an error is ready for everything, and the next call on it reports
     * why; the end of the stream, {@code EV_EOF} without an error, can be read.
     *
     * @return bits of {@link EventType#IO}
     */
    static int ready(ByteBuffer memory, int at) {
        boolean ended = (Kevent.flags(memory, at) & KqueueConstants.EV_EOF) != 0;
        int filter = Kevent.filter(memory, at);
        if (filter == KqueueConstants.EVFILT_READ) {
            return ended && Kevent.fflags(memory, at) != 0 ? EventType.IO : EventType.READ;
        }
        if (filter == KqueueConstants.EVFILT_WRITE) {
            return ended && Kevent.fflags(memory, at) != 0 ? EventType.IO : EventType.WRITE;
        }
        return EventType.EXCEPTION;
    }
}
