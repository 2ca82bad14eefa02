package dev.sluice.demultiplexer.kqueue;

import dev.sluice.calls.Bsd;
import dev.sluice.calls.layout.KqueueConstants;
import dev.sluice.demultiplexer.handleset.WakeUp;
import dev.sluice.handle.SystemCallException;

/** A descriptor that becomes readable, which wakes all waiters. */
final class DescriptorEvent extends WaiterSignal {

    private final WakeUp wakeUp;

    DescriptorEvent(Bsd bsd, int kq, String name, long data) throws SystemCallException {
        wakeUp = new WakeUp(name);
        int result = addEvent(bsd, kq, wakeUp.descriptor(), KqueueConstants.EVFILT_READ, 0, data);
        if (result < 0) {
            wakeUp.close();
            throw new SystemCallException("kevent", "wake-up of " + name, result);
        }
    }

    @Override
    void give() {
        wakeUp.signal();
    }

    @Override
    void repeat() {
        wakeUp.signal();
    }

    @Override
    void taken() {
        wakeUp.drain();
    }

    @Override
    public void close() {
        wakeUp.close();
    }
}
