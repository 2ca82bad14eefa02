package dev.sluice.trace;

import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** A place in the ring of a {@link DispatchTrace}. Written by the thread that has claimed it, read by any. */
final class Slot {

    private static final long NONE = -1;
    private static final long WRITING = -2;
    private static final long RUNNING = -1;

    private static final AtomicLongFieldUpdater<Slot> TICKET =
            AtomicLongFieldUpdater.newUpdater(Slot.class, "ticket");

    /** The record that is here; changes before and after all the rest. */
    private volatile long ticket = NONE;
    private @Nullable Thread thread;
    private @Nullable String hook;
    private @Nullable Object handler;
    private @Nullable Object handle;
    private long began;
    private volatile long took;

    /**
     * A hook is about to be called. Not recorded if another thread is just writing here, or has already written a later
     * call: one of the two has been suspended while the others have gone once around the ring.
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
        took = RUNNING;
        ticket = number;
    }

    /** The hook has returned, which is of no interest if its record has been overwritten since. */
    void end(long number, long nanos) {
        if (ticket == number) {
            took = nanos;
        }
    }

    /** {@return the record of this number; null if it is not there, or is just being written} */
    @Nullable TracedHook read(long number, LongFunction<Instant> clock) {
        if (ticket != number) {
            return null;
        }
        Thread by = thread;
        String called = hook;
        Object on = handler;
        Object subject = handle;
        long from = began;
        long nanos = took;
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
