package dev.sluice.demultiplexer.spi;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.eventloop.spi.EventBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * The handles that one wait reported as ready. The wait fills the batch, and its owner, one thread at a time, takes the
 * handles individually. The owner reuses the batch for all its waits, including those of hooks that run an event loop.
 * Created by {@link SynchronousEventDemultiplexer#newReadyBatch}, and usable with that demultiplexer only.
 */
public final class ReadyBatch implements EventBatch, AutoCloseable {

    /** Result of {@link #take()} when all handles have been taken. */
    public static final int NONE = -1;

    private final Class<?> creator;
    private final Membership[] memberships;
    private final int[] events;
    /** Memory that the system call fills in; null if the mechanism has it elsewhere. */
    private final MemoryBlock memory;
    private final ByteBuffer buffer;
    private final long address;
    private int size;
    private int taken;
    private int limit;
    /** The demultiplexer of an event loop; null outside of event loops. */
    private SynchronousEventDemultiplexer demultiplexer;
    private boolean isOnlyWaiter;

    /**
     * Creates an empty batch. For demultiplexers.
     *
     * @param creator  the demultiplexer's class; only waits of that class fill the batch
     * @param capacity the maximum number of handles that one wait reports
     * @throws IllegalArgumentException if the capacity is less than 1
     */
    public ReadyBatch(Class<?> creator, int capacity) {
        this(creator, capacity, null, 0);
    }

    /**
     * Creates an empty batch, with memory for the system call. For demultiplexers.
     *
     * @param creator  the demultiplexer's class; only waits of that class fill the batch
     * @param capacity the maximum number of handles that one wait reports
     * @param source   the memory to allocate from
     * @param bytes    the size of the memory in bytes; 0 for none
     * @throws IllegalArgumentException if the capacity is less than 1
     */
    public ReadyBatch(Class<?> creator, int capacity, Memory source, int bytes) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.creator = creator;
        this.memberships = new Membership[capacity];
        this.events = new int[capacity];
        this.limit = capacity;
        this.memory = bytes == 0 ? null : source.allocate(bytes);
        this.buffer = memory == null ? null : memory.buffer();
        this.address = memory == null ? 0 : memory.address();
    }

    // For the owner

    /** {@return the number of handles that the last wait reported} */
    public int size() {
        return size;
    }

    /** {@return the maximum number of handles that one wait reports} */
    public int capacity() {
        return events.length;
    }

    /**
     * Takes the next of the handles that the last wait reported. A handle is taken once, even if a hook that is called
     * for one of them takes others from the same batch.
     *
     * @return its index, or {@link #NONE} if all have been taken
     */
    public int take() {
        return taken < size ? taken++ : NONE;
    }

    /**
     * Returns the membership of a ready handle.
     *
     * @param index 0 to {@link #size()} - 1
     * @return its membership
     */
    public Membership membership(int index) {
        return memberships[Objects.checkIndex(index, size)];
    }

    /**
     * Returns the events that a handle is ready for, without those that it is no longer registered for; 0 if it has
     * been deactivated or removed since the wait.
     *
     * @param index 0 to {@link #size()} - 1
     * @return bits of {@link EventType#IO}
     */
    public int events(int index) {
        return events[index] & membership(index).activeEvents();
    }

    /** Removes the handles, so that removed memberships can be garbage collected. */
    public void clear() {
        for (int i = 0; i < size; i++) {
            memberships[i] = null;
        }
        size = 0;
        taken = 0;
    }

    /** Releases the memory; no wait may be using it. */
    @Override
    public void close() {
        clear();
        if (memory != null) {
            memory.close();
        }
    }

    // For an event loop, whose memberships have an EventTarget attached

    /**
     * Makes this the batch of a thread of an event loop.
     *
     * @param waited       the demultiplexer of the loop, which created this batch
     * @param isOnlyThread whether no other thread waits at the same time, as
     *                     {@link SynchronousEventDemultiplexer#awaitAsOwner} requires
     * @return this batch
     */
    public ReadyBatch forLoop(SynchronousEventDemultiplexer waited, boolean isOnlyThread) {
        demultiplexer = waited;
        isOnlyWaiter = isOnlyThread;
        return this;
    }

    @Override
    public int await(long timeoutNanos) throws IOException {
        // Cleared here because the wait may fail before it clears the batch, and no event must be dispatched twice.
        clear();
        return isOnlyWaiter ? demultiplexer.awaitAsOwner(this, timeoutNanos)
                : demultiplexer.awaitReady(this, timeoutNanos);
    }

    @Override
    public int dispatch() {
        int count = 0;
        // A hook may run the loop itself, which takes from the same batch and refills it.
        while (taken < size) {
            int index = taken++;
            // Called even without events, because a one-shot handle must be rearmed.
            count += target(index).dispatch(events(index));
        }
        return count;
    }

    /**
     * Called when the thread, one of several, leaves the loop. Passes the events that it has not dispatched because of
     * a failure to the other threads: those of at most one handle, as each of several threads takes one at a time.
     */
    @Override
    public void leave() {
        EventTarget undispatched = taken < size ? target(taken) : null;
        clear();
        if (undispatched != null) {
            undispatched.reportAgain();
        }
    }

    private EventTarget target(int index) {
        return (EventTarget) memberships[index].attachment();
    }

    // For the demultiplexer that fills it

    /**
     * Checks that a wait may fill this batch.
     *
     * @param demultiplexer the class of the demultiplexer that is about to wait
     * @return this batch
     * @throws IllegalArgumentException if it was not created by a demultiplexer of this class
     */
    public ReadyBatch requireFrom(Class<?> demultiplexer) {
        if (creator != demultiplexer) {
            throw new IllegalArgumentException("the batch is not from newReadyBatch of this demultiplexer");
        }
        return this;
    }

    /**
     * Adds a handle.
     *
     * @param membership its membership
     * @param ready        the events that it is ready for
     */
    public void add(Membership membership, int ready) {
        memberships[size] = membership;
        events[size++] = ready;
    }

    /**
     * Adds events to a handle that has been added.
     *
     * @param index the index of the handle
     * @param ready the further events that it is ready for
     */
    public void addEvents(int index, int ready) {
        events[index] |= ready;
    }

    /** {@return whether no more handles can be added} */
    public boolean isFull() {
        return size == events.length;
    }

    /** {@return the memory that the system call fills in; null if the batch was created without memory} */
    public MemoryBlock memory() {
        return memory;
    }

    /** {@return all of {@link #memory()}, in native byte order; null if the batch was created without memory} */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** {@return the address of {@link #memory()}; 0 if the batch was created without memory} */
    public long address() {
        return address;
    }

    /** {@return the number of handles that the system call may report; initially the capacity} */
    public int limit() {
        return limit;
    }

    /**
     * Limits the number of handles that the system call may report.
     *
     * @param handles the number, 0 to the capacity
     */
    public void limit(int handles) {
        limit = handles;
    }
}
