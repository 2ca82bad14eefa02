package dev.sluice.calls;

import static dev.sluice.calls.layout.KqueueConstants.EVFILT_READ;
import static dev.sluice.calls.layout.KqueueConstants.EVFILT_USER;
import static dev.sluice.calls.layout.KqueueConstants.EV_ADD;
import static dev.sluice.calls.layout.KqueueConstants.EV_CLEAR;
import static dev.sluice.calls.layout.KqueueConstants.EV_DELETE;
import static dev.sluice.calls.layout.KqueueConstants.EV_ERROR;
import static dev.sluice.calls.layout.KqueueConstants.NOTE_TRIGGER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.layout.Kevent;
import dev.sluice.calls.layout.Timespec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** kqueue, where there is a library that has it. */
public abstract class KqueueContract extends BindingContract {

    private static final long DATA = 0x1234_5678_9abc_def0L;

    private static int kept = -1;

    private Bsd bsd;
    private int kq;
    private MemoryBlock events;

    protected KqueueContract(Binding binding) {
        super(binding);
        if (KqueueLibrary.isPresent() && kept < 0) {
            // With its first queue, libkqueue opens what it keeps.
            kept = binding.bsd().kqueue();
        }
    }

    @BeforeEach
    void open() {
        assumeTrue(KqueueLibrary.isPresent(), "no library with kqueue; name one by -D" + KqueueLibrary.PROPERTY);
        bsd = binding.bsd();
        kq = own(bsd.kqueue());
        events = block(4 * Kevent.SIZE);
    }

    private int change(long ident, int filter, int flags, int notes) {
        MemoryBlock change = block(Kevent.SIZE);
        Kevent.set(change.buffer(), 0, ident, filter, flags, notes, DATA);
        return bsd.kevent(kq, change.address(), 1, 0, 0, 0);
    }

    private int look() {
        MemoryBlock timeout = block(Timespec.SIZE);
        return bsd.kevent(kq, 0, 0, events.address(), 4, timeout.address());
    }

    @Test
    void readableBytesAreAnEvent() {
        int[] pipe = pipe();
        ok(change(pipe[0], EVFILT_READ, EV_ADD, 0));
        assertEquals(0, look());
        assertEquals(3, posix.write(pipe[1], text("abc").address(), 3));
        assertEquals(1, look());
        assertEquals(pipe[0], events.buffer().getLong(Kevent.IDENT));
        assertEquals(EVFILT_READ, Kevent.filter(events.buffer(), 0));
        assertEquals(DATA, Kevent.udata(events.buffer(), 0));
        ok(change(pipe[0], EVFILT_READ, EV_DELETE, 0));
        assertEquals(0, look());
    }

    @Test
    void userEventIsTriggered() {
        ok(change(7, EVFILT_USER, EV_ADD | EV_CLEAR, 0));
        assertEquals(0, look());
        ok(change(7, EVFILT_USER, 0, NOTE_TRIGGER));
        assertEquals(1, look());
        assertEquals(7, events.buffer().getLong(Kevent.IDENT));
        assertEquals(0, look());
    }

    @Test
    void badDescriptorIsReported() {
        assertBad(change(999_999, EVFILT_READ, EV_ADD, 0));
        MemoryBlock change = block(Kevent.SIZE);
        Kevent.set(change.buffer(), 0, 999_999, EVFILT_READ, EV_ADD, 0, DATA);
        assertEquals(1, bsd.kevent(kq, change.address(), 1, events.address(), 1, 0));
        assertNotEquals(0, Kevent.flags(events.buffer(), 0) & EV_ERROR);
        assertBad(-Kevent.error(events.buffer(), 0));
    }

    /** libkqueue, up to 2.7.0, says that the address is bad whenever it cannot add a filter. */
    private static void assertBad(long result) {
        boolean tolerated = KqueueLibrary.file().isPresent() && Errno.EFAULT.is(result);
        assertFails(tolerated ? Errno.EFAULT : Errno.EBADF, result);
    }
}
