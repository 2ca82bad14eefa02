package dev.sluice.dispatch;

import dev.sluice.deadline.Timeout;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.timer.Timer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/** The idle timeout of a handle, whose activity are the calls of its hooks for input and output. */
final class HandleIdleTimeout extends IdleTimeout {

    private final HandlerEntry entry;

    private HandleIdleTimeout(HandlerEntry entry, Interest direction) {
        super(direction);
        this.entry = entry;
    }

    /** Replaces the idle timeout of an entry; a duration of zero removes it. */
    static void set(HandlerEntry entry, Interest direction, Duration duration) {
        if (direction.isEmpty() || direction.contains(Interest.EXCEPTION)) {
            throw new IllegalArgumentException("idleTimeout: direction " + direction
                    + "; need READ, WRITE or READ_WRITE");
        }
        long nanos = Timeout.nanos("duration", duration);
        HandleIdleTimeout next = nanos > 0 ? new HandleIdleTimeout(entry, direction) : null;
        try {
            entry.performHere("idleTimeout", () -> replace(entry, next, nanos));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void replace(HandlerEntry entry, HandleIdleTimeout next, long nanos) {
        HandleIdleTimeout before = entry.idleTimeout;
        entry.idleTimeout = next;
        if (before != null) {
            before.end();
        }
        if (next != null && entry.isOpen()) {
            next.begin(nanos);
            if (!entry.isOpen() || entry.idleTimeout != next) {
                // Another thread has ended it before the timer was set.
                next.end();
            }
        }
    }

    @Override
    protected long received() {
        return entry.inputs;
    }

    @Override
    protected long sent() {
        return entry.outputs;
    }

    @Override
    protected Timer schedule(Duration period) {
        return entry.dispatcher().schedule(this, null, period, period);
    }

    /** Calls the hook, unless other hooks are running, or there has been activity since. */
    @Override
    protected void idle() {
        if (!entry.claim()) {
            return;
        }
        // If one thread dispatches, only an inner run could report the handle, which then suspends it.
        boolean suspends = entry.isShared();
        try {
            if (suspends) {
                entry.suspend();
            }
            if (entry.isOpen() && isIdle()) {
                entry.hooks.handleIdle(entry, direction());
            }
        } catch (Throwable e) {
            FailedHook.end(entry, e);
        } finally {
            entry.release(entry.rearms, suspends ? 1 : entry.suspensions);
        }
    }

    /** {@return for example {@code idle timeout for READ of tcp 127.0.0.1:40000}} */
    @Override
    public String toString() {
        return "idle timeout for " + direction() + " of " + entry.handle();
    }
}
