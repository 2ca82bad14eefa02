package dev.sluice.trace;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One call of a hook, as a {@link DispatchTrace} has recorded it.
 *
 * @param number  the number of calls recorded before it
 * @param thread  the thread that made the call
 * @param hook    the method that was called, such as {@code handleInput}
 * @param handler the handler that it was called on
 * @param handle  what it was called for: a handle, for a timer its token, for a signal the signal; null if there is
 *                nothing of the kind
 * @param began   when it was called
 * @param took    how long it took, or has taken so far if it has not returned
 * @param running whether it had not returned when the trace was read
 */
record TracedHook(long number, Thread thread, String hook, Object handler, @Nullable Object handle, Instant began,
        Duration took, boolean running) {

    private static final int NANOS_PER_MICRO = 1000;

    /** {@return for example {@code 2026-01-31T12:00:00.000123Z loop handleInput of echo on tcp 127.0.0.1:7, 12 us}} */
    @Override
    public String toString() {
        return began + " " + thread.getName() + " " + call(hook, handler, handle)
                + (running ? ", running for " : ", ") + took.toNanos() / NANOS_PER_MICRO + " us";
    }

    /** {@return the call of a hook in words} */
    static String call(@Nullable String hook, @Nullable Object handler, @Nullable Object handle) {
        return hook + " of " + name(handler) + (handle == null ? "" : " on " + name(handle));
    }

    /** What an object calls itself. It may fail: it is the user's code, in a thread that it does not expect. */
    static String name(@Nullable Object named) {
        if (named == null) {
            return "null";
        }
        try {
            return String.valueOf(named.toString());
        } catch (RuntimeException e) {
            return named.getClass().getName();
        }
    }
}
