package dev.sluice.trace;

import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** A slot in the ring of a {@link DispatchTrace}. Written by the thread that has claimed it, read by any thread. */
final class Slot {

    private static final long NONE = -1;
    private static final long WRITING = -2;
    private static final long RUNNING = -1;

    private static final AtomicLongFieldUpdater<Slot> TICKET =
            AtomicLongFieldUpdater.newUpdater(Slot.class, "ticket");

    /** The number of the record in this slot; changed before and after all other fields. */
    private volatile long ticket = NONE;
    private @Nullable Thread thread;
    private @Nullable String hook;
    private @Nullable Object handler;
    private @Nullable Object handle;
    private long began;
    private volatile long duration;

    /**
     * Records that a hook is about to be called. Does nothing if another thread is writing to this slot, or has already
     * written a later call, which happens if a thread is suspended while the others fill the whole ring.
     */
    void begin(long number, String called, Object on, @Nullable Object subject, long now) {
        long before = ticket;
        if (before == WRITING || before > number || !TICKET.compareAndSet(this, before, WRITING)) {
            return;
        }
        // A thread that reads one of these values must not read the ticket of the previous record.
        VarHandle.storeStoreFence();
        thread = Thread.currentThread();
        hook = called;
        handler = on;
        handle = subject;
        began = now;
        duration = RUNNING;
        ticket = number;
    }

    /** Records that the hook has returned, unless its record has been overwritten. */
    void end(long number, long nanos) {
        if (ticket == number) {
            duration = nanos;
        }
    }

    /** {@return the record with this number; null if it is not in this slot, or is being written} */
    @Nullable TracedHook read(long number, LongFunction<Instant> clock) {
        if (ticket != number) {
            return null;
        }
        Thread by = thread;
        String called = hook;
        Object on = handler;
        Object subject = handle;
        long from = began;
        long nanos = duration;
        VarHandle.loadLoadFence();
        if (ticket != number) {
            return null;
        }
        assert by != null && called != null && on != null;
        boolean running = nanos == RUNNING;
        long so = running ? Math.max(0, System.nanoTime() - from) : nanos;
        return new TracedHook(number, by, called, on, subject, clock.apply(from), Duration.ofNanos(so), running);
    }
}
