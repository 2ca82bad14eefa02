package dev.sluice.stages;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A copy of the elements of a caller's list, which is read only once: on a second read it might throw or have other
 * elements, while places of a queue have been claimed and must be filled. Reused.
 */
final class EventCopy {

    /** Accessed directly by a thread that has no stack for a call. */
    Object[] events = {};
    int size;

    /** Copies events, none of which is null, into this, which is empty. */
    void fill(List<?> source) {
        int count = source.size();
        if (events.length < count) {
            events = new Object[count];
        }
        while (size < count) {
            events[size] = Objects.requireNonNull(source.get(size), "event");
            size++;
        }
    }

    /** Forgets the events. */
    void clear() {
        Arrays.fill(events, 0, size, null);
        size = 0;
    }
}
