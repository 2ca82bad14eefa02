package dev.sluice.mechanism.handleset;

import dev.sluice.demultiplexer.ReadyHandles;
import dev.sluice.demultiplexer.Registration;
import java.util.Objects;

/** What the waits of one kind of demultiplexer collect. */
public class CollectedHandles implements ReadyHandles {

    private final Class<?> maker;
    private final Registration[] registrations;
    private final int[] events;
    private int size;

    /**
     * Makes room.
     *
     * @param maker    the demultiplexer's class; only waits of that class fill it
     * @param capacity the most handles that one wait reports, at least 1
     */
    public CollectedHandles(Class<?> maker, int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.maker = maker;
        this.registrations = new Registration[capacity];
        this.events = new int[capacity];
    }

    /**
     * Checks that a wait of a demultiplexer may fill this room.
     *
     * @param room  what the caller has passed in
     * @param maker the demultiplexer's class
     * @return the room, made by a demultiplexer of that class
     * @throws IllegalArgumentException if it was not made by such a demultiplexer
     */
    public static CollectedHandles require(ReadyHandles room, Class<?> maker) {
        Objects.requireNonNull(room, "ready");
        if (room instanceof CollectedHandles handles && handles.maker == maker) {
            return handles;
        }
        throw new IllegalArgumentException("the batch is not from newReadyHandles of such a demultiplexer");
    }

    @Override
    public final int size() {
        return size;
    }

    @Override
    public final int capacity() {
        return events.length;
    }

    @Override
    public final Registration registration(int index) {
        return registrations[Objects.checkIndex(index, size)];
    }

    @Override
    public final int events(int index) {
        return events[index] & registration(index).activeEvents();
    }

    /**
     * Adds a handle.
     *
     * @param registration its registration
     * @param ready        what it is ready for
     */
    public final void add(Registration registration, int ready) {
        registrations[size] = registration;
        events[size++] = ready;
    }

    /**
     * Notes that a handle that was added is ready for more events.
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

    @Override
    public final void clear() {
        for (int i = 0; i < size; i++) {
            registrations[i] = null;
        }
        size = 0;
    }

    @Override
    public void close() {
        clear();
    }
}
