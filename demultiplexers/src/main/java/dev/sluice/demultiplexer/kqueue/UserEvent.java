package dev.sluice.demultiplexer.kqueue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Bsd;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.Kevent;
import dev.sluice.calls.layout.KqueueConstants;
import dev.sluice.demultiplexer.handleset.PendingSignal;
import dev.sluice.handle.SystemCallException;
import java.io.UncheckedIOException;

/** {@code EVFILT_USER}: needs no descriptor, and the kernel resets it when it reports it, to one waiter. */
final class UserEvent extends WaiterSignal {

    private static final int IDENT = 0;

    private final Bsd bsd;
    private final int kq;
    private final String name;
    private final long data;
    private final MemoryBlock trigger = Bindings.current().memory().allocate(Kevent.SIZE);
    private final PendingSignal pending = new PendingSignal();
    private final Runnable signal = this::repeat;

    UserEvent(Bsd bsd, int kq, String name, long data) {
        this.bsd = bsd;
        this.kq = kq;
        this.name = name;
        this.data = data;
        // Triggering modifies the event, and so must pass the data that it carries from then on.
        Kevent.set(trigger.buffer(), 0, IDENT, KqueueConstants.EVFILT_USER, 0, KqueueConstants.NOTE_TRIGGER, data);
    }

    int add() {
        return addEvent(bsd, kq, IDENT, KqueueConstants.EVFILT_USER, KqueueConstants.EV_CLEAR, data);
    }

    @Override
    void give() {
        pending.give(signal);
    }

    @Override
    void repeat() {
        int result = bsd.kevent(kq, trigger.address(), 1, 0, 0, 0);
        if (result < 0) {
            throw new UncheckedIOException(new SystemCallException("kevent", "wake-up of " + name, result));
        }
    }

    @Override
    void taken() {
        pending.taken();
    }

    @Override
    public void close() {
        trigger.close();
    }
}
