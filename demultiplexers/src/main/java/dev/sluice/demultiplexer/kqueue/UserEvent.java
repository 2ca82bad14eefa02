package dev.sluice.demultiplexer.kqueue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Bsd;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.Kevent;
import dev.sluice.calls.layout.KqueueConstants;
import dev.sluice.demultiplexer.handleset.PendingSignal;
import dev.sluice.handle.SystemCallException;
import java.io.UncheckedIOException;

/**
 * Wakes up a waiter by {@code EVFILT_USER}, an event of the queue that other threads trigger: it needs no descriptor,
 * and the kernel resets it when it reports it, to one waiter.
 */
final class UserEvent implements AutoCloseable {

    private static final int IDENT = 0;

    private final Bsd bsd;
    private final int kq;
    private final String name;
    private final PendingSignal pending = new PendingSignal();
    private final Runnable signal = this::repeat;
    // Last, since nothing frees it if there is no heap for the others.
    private final MemoryBlock trigger = Bindings.current().memory().allocate(Kevent.SIZE);

    /**
     * Adds it to a queue.
     *
     * @param bsd  the calls
     * @param kq   the queue
     * @param name the name of the demultiplexer, for messages
     * @param data what the event is to carry
     */
    UserEvent(Bsd bsd, int kq, String name, long data) throws SystemCallException {
        this.bsd = bsd;
        this.kq = kq;
        this.name = name;
        try {
            Kevent.set(trigger.buffer(), 0, IDENT, KqueueConstants.EVFILT_USER,
                    KqueueConstants.EV_ADD | KqueueConstants.EV_CLEAR, 0, data);
            int result = change();
            if (result < 0) {
                throw failure(result);
            }
        } catch (Throwable e) {
            close();
            throw e;
        }
        // Triggering modifies the event, and so must pass the data that it carries from then on.
        Kevent.set(trigger.buffer(), 0, IDENT, KqueueConstants.EVFILT_USER, 0, KqueueConstants.NOTE_TRIGGER, data);
    }

    private int change() {
        return bsd.kevent(kq, trigger.address(), 1, 0, 0, 0);
    }

    private SystemCallException failure(int result) {
        return new SystemCallException("kevent", "wake-up of " + name, result);
    }

    /**
     * Triggers the event; several signals may count as one until a waiter has {@link #taken} them.
     *
     * @throws UncheckedIOException if the system refuses; the next one counts again
     */
    void give() {
        pending.give(signal);
    }

    /** Triggers the event whether or not it has been triggered already. */
    void repeat() {
        int result = change();
        if (result < 0) {
            throw new UncheckedIOException(failure(result));
        }
    }

    /** A waiter has received the event. */
    void taken() {
        pending.taken();
    }

    @Override
    public void close() {
        trigger.close();
    }
}
