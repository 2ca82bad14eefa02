package dev.sluice.stages;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * What a caller's list has had in it, read once: the next time it might throw, or have something else in it, when
 * places of a queue have been claimed and must be filled. Used again.
 */
final class EventCopy {

    /** For a thread that cannot call a method any more. */
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
