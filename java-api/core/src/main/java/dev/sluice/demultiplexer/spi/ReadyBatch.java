package dev.sluice.demultiplexer.spi;

import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.eventloop.spi.EventBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * The handles that one wait found ready. The wait fills the batch, and its owner, one thread at a time, takes the
 * handles one by one. The owner reuses the batch for all its waits, also for those of hooks that run an event loop. A
 * batch comes from {@link SynchronousEventDemultiplexer#newReadyBatch} and works with that demultiplexer alone.
 */
public final class ReadyBatch implements EventBatch, AutoCloseable {

    /** What {@link #take()} returns when all handles have been taken. */
    public static final int NONE = -1;

    private final Class<?> maker;
    private final Membership[] memberships;
    private final int[] events;
    /** What the system call fills in; null if the mechanism keeps that elsewhere. */
    private final MemoryBlock memory;
    private final ByteBuffer buffer;
    private final long address;
    private int size;
    private int taken;
    private int limit;
    /** What an event loop waits with; null outside of event loops. */
    private SynchronousEventDemultiplexer demultiplexer;
    private boolean isOnlyWaiter;

    /**
     * Creates an empty batch. For demultiplexers.
     *
     * @param maker    the demultiplexer's class; only waits of that class fill the batch
     * @param capacity the maximum number of handles that one wait reports
     * @throws IllegalArgumentException if the capacity is less than 1
     */
    public ReadyBatch(Class<?> maker, int capacity) {
        this(maker, capacity, null, 0);
    }

    /**
     * Creates an empty batch, with memory for the system call. For demultiplexers.
     *
     * @param maker    the demultiplexer's class; only waits of that class fill the batch
     * @param capacity the maximum number of handles that one wait reports
     * @param source   allocates the memory
     * @param bytes    the size of the memory; 0 for none
     * @throws IllegalArgumentException if the capacity is less than 1
     */
    public ReadyBatch(Class<?> maker, int capacity, Memory source, int bytes) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.maker = maker;
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
     * Takes the next of the handles that the last wait reported. A handle is taken once, also if a hook that is called
     * for one of them takes others from the same batch.
     *
     * @return its index, or {@link #NONE} if all have been taken
     */
    public int take() {
        return taken < size ? taken++ : NONE;
    }

    /**
     * The membership of a ready handle.
     *
     * @param index 0 to {@link #size()} - 1
     * @return its membership
     */
    public Membership membership(int index) {
        return memberships[Objects.checkIndex(index, size)];
    }

    /**
     * What a handle is ready for, as of now: without the events that it is no longer registered for, 0 if it has been
     * deactivated or removed since the wait.
     *
     * @param index 0 to {@link #size()} - 1
     * @return bits of {@link EventType#IO}
     */
    public int events(int index) {
        return events[index] & membership(index).activeEvents();
    }

    /** Forgets the handles, so that nothing keeps what was removed from being collected. */
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
     * @param waited       what the loop waits with, and made this batch
     * @param isOnlyThread whether no other thread waits at the same time, as {@link
     *                     SynchronousEventDemultiplexer#awaitAsOwner} demands
     * @return this
     */
    public ReadyBatch forLoop(SynchronousEventDemultiplexer waited, boolean isOnlyThread) {
        demultiplexer = waited;
        isOnlyWaiter = isOnlyThread;
        return this;
    }

    @Override
    public int await(long timeoutNanos) throws IOException {
        // Not left to the wait: if it fails, nothing must be dispatched a second time.
        clear();
        return isOnlyWaiter ? demultiplexer.awaitAsOwner(this, timeoutNanos)
                : demultiplexer.awaitReady(this, timeoutNanos);
    }

    @Override
    public int dispatch() {
        int count = 0;
        // A hook may run the loop itself, which takes from the same batch, and refills it.
        while (taken < size) {
            int index = taken++;
            // Even if none of its events is wanted any more, because a one-shot handle must be rearmed.
            count += target(index).dispatch(events(index));
        }
        return count;
    }

    /** {@inheritDoc} That is one handle at most, since one of many threads takes one at a time. */
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
     * Checks that a wait may fill this.
     *
     * @param demultiplexer the class of the demultiplexer that is about to wait
     * @return this
     * @throws IllegalArgumentException if it was not made by such a demultiplexer
     */
    public ReadyBatch requireFrom(Class<?> demultiplexer) {
        if (maker != demultiplexer) {
            throw new IllegalArgumentException("the batch is not from newReadyBatch of such a demultiplexer");
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
     * Notes that a handle that was added is ready for more events.
     *
     * @param index where it was added
     * @param ready what else it is ready for
     */
    public void addEvents(int index, int ready) {
        events[index] |= ready;
    }

    /** {@return whether no more handles can be added} */
    public boolean isFull() {
        return size == events.length;
    }

    /** {@return what the system call fills in, null if the batch was made without it} */
    public MemoryBlock memory() {
        return memory;
    }

    /** {@return all of {@link #memory()}, in native byte order; null if the batch was made without it} */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** {@return the address of {@link #memory()}; 0 if the batch was made without it} */
    public long address() {
        return address;
    }

    /** {@return the number of handles that the system call may report; at first the capacity} */
    public int limit() {
        return limit;
    }

    /**
     * Limits how many handles the system call may report.
     *
     * @param handles 0 to the capacity
     */
    public void limit(int handles) {
        limit = handles;
    }
}
