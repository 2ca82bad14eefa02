package dev.sluice.trace;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A call of a hook in a {@link DispatchTrace}.
 *
 * @param number   the number of calls recorded before it
 * @param thread   the thread that made the call
 * @param hook     the method that was called, such as {@code handleInput}
 * @param handler  the handler that it was called on
 * @param handle   the object that it was called for: a handle, the token of a timer, or a signal; null if there is none
 * @param began    the time of the call
 * @param duration the duration, so far if it has not returned
 * @param running  whether it had not returned when the trace was read
 */
record TracedHook(long number, Thread thread, String hook, Object handler, @Nullable Object handle, Instant began,
        Duration duration, boolean running) {

    private static final int NANOS_PER_MICRO = 1000;

    /** {@return for example {@code 2026-01-31T12:00:00.000123Z loop handleInput of echo on tcp 127.0.0.1:7, 12 us}} */
    @Override
    public String toString() {
        return began + " " + thread.getName() + " " + call(hook, handler, handle)
                + (running ? ", running for " : ", ") + duration.toNanos() / NANOS_PER_MICRO + " us";
    }

    /** {@return the description of a call of a hook} */
    static String call(@Nullable String hook, @Nullable Object handler, @Nullable Object handle) {
        return hook + " of " + name(handler) + (handle == null ? "" : " on " + name(handle));
    }

    /**
     * Returns the string form of an object. Handles exceptions, because this calls code of the program, possibly in
     * another thread than it expects.
     */
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
