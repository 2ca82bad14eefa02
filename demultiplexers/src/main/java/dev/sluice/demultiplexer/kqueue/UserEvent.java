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
 * A wake-up by {@code EVFILT_USER}, an event that other threads trigger. It needs no descriptor; the kernel reports it
 * to one waiter and resets it.
 */
final class UserEvent implements AutoCloseable {

    private static final int IDENT = 0;

    private final Bsd bsd;
    private final int kq;
    private final String name;
    private final PendingSignal pending = new PendingSignal();
    private final Runnable signal = this::repeat;
    // Last, because nothing would free it if there were no memory for the others.
    private final MemoryBlock trigger = Bindings.current().memory().allocate(Kevent.SIZE);

    /**
     * Adds the event to a kqueue.
     *
     * @param bsd  makes the calls
     * @param kq   the descriptor of the kqueue
     * @param name the name of the demultiplexer, for messages
     * @param data the data that the event carries
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
        // Triggering the event also replaces its data.
        Kevent.set(trigger.buffer(), 0, IDENT, KqueueConstants.EVFILT_USER, 0, KqueueConstants.NOTE_TRIGGER, data);
    }

    private int change() {
        return bsd.kevent(kq, trigger.address(), 1, 0, 0, 0);
    }

    private SystemCallException failure(int result) {
        return new SystemCallException("kevent", "wake-up of " + name, result);
    }

    /**
     * Triggers the event, unless it has been triggered since a waiter last {@linkplain #taken took} it.
     *
     * @throws UncheckedIOException if the system refuses; the next call tries again
     */
    void give() {
        pending.give(signal);
    }

    /** Triggers the event, even if it has been triggered already. */
    void repeat() {
        int result = change();
        if (result < 0) {
            throw new UncheckedIOException(failure(result));
        }
    }

    /** Called by a waiter that has received the event. */
    void taken() {
        pending.taken();
    }

    @Override
    public void close() {
        trigger.close();
    }
}
