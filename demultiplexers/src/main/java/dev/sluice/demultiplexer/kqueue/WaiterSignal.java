package dev.sluice.demultiplexer.kqueue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Bsd;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.layout.Kevent;
import dev.sluice.calls.layout.KqueueConstants;
import dev.sluice.handle.SystemCallException;

/** Wakes up a waiter: an event of the queue that other threads can trigger. */
abstract class WaiterSignal implements AutoCloseable {

    /**
     * Adds a signal to a queue.
     *
     * @param bsd  the calls
     * @param kq   the queue
     * @param name the name of the demultiplexer, for messages
     * @param data what the event is to carry
     */
    static WaiterSignal open(Bsd bsd, int kq, String name, long data) throws SystemCallException {
        UserEvent event = new UserEvent(bsd, kq, name, data);
        int result;
        try {
            result = event.add();
        } catch (Throwable e) {
            event.close();
            throw e;
        }
        if (result >= 0) {
            return event;
        }
        event.close();
        if (!Errno.EINVAL.is(result)) {
            throw new SystemCallException("kevent", "wake-up of " + name, result);
        }
        // OpenBSD before 7.8 has no user events.
        return new DescriptorEvent(bsd, kq, name, data);
    }

    static int addEvent(Bsd bsd, int kq, long ident, int filter, int flags, long data) {
        try (MemoryBlock change = Bindings.current().memory().allocate(Kevent.SIZE)) {
            Kevent.set(change.buffer(), 0, ident, filter, KqueueConstants.EV_ADD | flags, 0, data);
            return bsd.kevent(kq, change.address(), 1, 0, 0, 0);
        }
    }

    /**
     * Triggers the event; several signals may count as one until a waiter has {@link #taken} them.
     *
     * @throws java.io.UncheckedIOException if the system refuses; the next one counts again
     */
    abstract void give();

    /** Triggers the event whether or not it has been triggered already. */
    abstract void repeat();

    /** A waiter has received the event. */
    abstract void taken();

    @Override
    public abstract void close();
}
