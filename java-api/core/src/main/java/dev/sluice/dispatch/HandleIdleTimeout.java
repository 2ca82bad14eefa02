package dev.sluice.dispatch;

import dev.sluice.deadline.Timeout;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.timer.Timer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/** Calls the hook for an idle time of a handle: what passes are calls of its other hooks. */
final class HandleIdleTimeout extends IdleTimeout {

    private final HandlerEntry entry;

    private HandleIdleTimeout(HandlerEntry entry, Interest direction) {
        super(direction);
        this.entry = entry;
    }

    /** Begins one instead of another, or none if the time is zero. */
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
                // Another thread has ended it before there was a timer to cancel.
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

    /** Calls the hook, unless other hooks are running, or something has been received or sent. */
    @Override
    protected void idle() {
        if (!entry.claim()) {
            return;
        }
        // Where one thread dispatches, only an inner run could report it, which suspends it then.
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
