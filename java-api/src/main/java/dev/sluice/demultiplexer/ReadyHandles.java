package dev.sluice.demultiplexer;

import java.util.Objects;

/**
 * The handles that one wait found ready, in an object that is made once and reused: one for each thread that waits.
 * Comes from {@link SynchronousEventDemultiplexer#newReadyHandles} and works with that demultiplexer alone.
 */
public class ReadyHandles implements AutoCloseable {

    private final Registration[] registrations;
    private final int[] events;
    private int size;

    /**
     * For demultiplexers.
     *
     * @param capacity the most handles that one wait reports, at least 1
     */
    public ReadyHandles(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.registrations = new Registration[capacity];
        this.events = new int[capacity];
    }

    /** {@return how many handles the last wait reported} */
    public final int size() {
        return size;
    }

    /** {@return the most handles that one wait reports} */
    public final int capacity() {
        return events.length;
    }

    /**
     * The registration of a ready handle.
     *
     * @param index 0 to {@link #size()} - 1
     * @return its registration
     */
    public final Registration registration(int index) {
        return registrations[Objects.checkIndex(index, size)];
    }

    /**
     * What a handle is ready for, as of now: without the events that it is no longer registered for, 0 if it has been
     * deactivated or removed since the wait.
     *
     * @param index 0 to {@link #size()} - 1
     * @return bits of {@link EventType#IO}
     */
    public final int events(int index) {
        return events[index] & registration(index).activeEvents();
    }

    /**
     * For demultiplexers: adds a handle.
     *
     * @param registration its registration
     * @param ready        what it is ready for
     */
    public final void add(Registration registration, int ready) {
        registrations[size] = registration;
        events[size++] = ready;
    }

    /**
     * For demultiplexers: tells that a handle which was added is ready for more.
     *
     * @param index where it was added
     * @param ready what else it is ready for
     */
    public final void addEvents(int index, int ready) {
        events[index] |= ready;
    }

    /** {@return whether no more handles can be added} */
    public final boolean isFull() {
        return size == events.length;
    }

    /** Forgets the handles, so that nothing keeps what was removed from being collected. */
    public final void clear() {
        for (int i = 0; i < size; i++) {
            registrations[i] = null;
        }
        size = 0;
    }

    /** Gives back what the demultiplexer needed for it; no wait may be using it. */
    @Override
    public void close() {
        clear();
    }
}
