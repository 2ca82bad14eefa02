package dev.sluice.demultiplexer.select;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.FdSet;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.Timeval;
import dev.sluice.demultiplexer.handleset.ProcessSetDemultiplexer;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.handle.Handle;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The handle set of {@code select}: three sets of bits, which are copied for each call, because the call overwrites
 * them with its results.
 */
public final class SelectDemultiplexer extends ProcessSetDemultiplexer {

    /** The name by which it is chosen. */
    public static final String NAME = "select";

    /** The maximum timeout that macOS accepts. */
    private static final long MAX_WAIT_NANOS = 100_000_000L * 1_000_000_000L;

    private static final int SETS = 3 * FdSet.SIZE;
    private static final int WANTED = 0;
    private static final int RESULT = WANTED + SETS;
    private static final int READ = 0;
    private static final int WRITE = FdSet.SIZE;
    private static final int EXCEPTION = 2 * FdSet.SIZE;
    private static final int TIMEOUT = RESULT + SETS;

    private final Posix posix = Bindings.current().posix();
    private final MemoryBlock memory;
    private final ByteBuffer sets;
    private final Slot[] slots;
    private final int wakeUpDescriptor;
    private int highest;
    private int scanStart;

    /**
     * Opens a demultiplexer with an empty set.
     *
     * @throws IOException if the system refuses, or so many descriptors are open that the number of the wake-up
     *                     descriptor is too high
     */
    public SelectDemultiplexer() throws IOException {
        super(NAME);
        try {
            slots = new Slot[FdSet.FD_SETSIZE];
            memory = Bindings.current().memory().allocate(TIMEOUT + Timeval.SIZE);
        } catch (Throwable e) {
            discard();
            throw e;
        }
        sets = memory.buffer();
        wakeUpDescriptor = (int) wakeUpDescriptor();
        if (wakeUpDescriptor >= FdSet.FD_SETSIZE) {
            discard();
            throw tooHigh(wakeUpDescriptor, "its wake-up descriptor");
        }
        FdSet.set(sets, WANTED + READ, wakeUpDescriptor);
        highest = wakeUpDescriptor;
    }

    // The call would write past the end of the sets without an error.
    @Override
    protected void requireFit(long descriptor, Handle handle) throws IOException {
        if (descriptor >= FdSet.FD_SETSIZE) {
            throw tooHigh(descriptor, handle.toString());
        }
    }

    private static IOException tooHigh(long descriptor, String subject) {
        return new IOException("select cannot wait for " + subject + ": descriptor " + descriptor
                + " is not below FD_SETSIZE (" + FdSet.FD_SETSIZE + "); use another demultiplexer, such as poll");
    }

    @Override
    protected void apply(Slot slot) {
        int fd = (int) slot.descriptor();
        if (slot.isValid()) {
            slot.place = fd;
            slots[fd] = slot;
            highest = Math.max(highest, fd);
        } else if (slot.place >= 0) {
            slot.place = -1;
            if (slots[fd] != slot) {
                // The handle has left and been registered again, and the registration was applied first.
                return;
            }
            slots[fd] = null;
            while (highest > wakeUpDescriptor && slots[highest] == null) {
                highest--;
            }
        } else {
            return;
        }
        int events = slot.activeEvents();
        want(READ, fd, (events & EventType.READ) != 0);
        want(WRITE, fd, (events & EventType.WRITE) != 0);
        want(EXCEPTION, fd, (events & EventType.EXCEPTION) != 0);
    }

    private void want(int set, int fd, boolean wanted) {
        if (wanted) {
            FdSet.set(sets, WANTED + set, fd);
        } else {
            FdSet.clear(sets, WANTED + set, fd);
        }
    }

    @Override
    protected int call(long timeoutNanos) {
        sets.put(RESULT, sets, WANTED, SETS);
        long timeout = 0;
        if (timeoutNanos >= 0) {
            Timeval.set(sets, TIMEOUT, Math.min(timeoutNanos, MAX_WAIT_NANOS));
            timeout = memory.address() + TIMEOUT;
        }
        long result = memory.address() + RESULT;
        int bits = posix.select(highest + 1, result + READ, result + WRITE, result + EXCEPTION, timeout);
        return Errno.EBADF.is(bits) ? findBadDescriptors() : bits;
    }

    // Other code has closed a descriptor. The calls of other mechanisms report that descriptor, select fails
    // altogether.
    private int findBadDescriptors() {
        int bad = 0;
        for (int i = 0; i < SETS; i += Long.BYTES) {
            sets.putLong(RESULT + i, 0);
        }
        for (int fd = 0; fd <= highest; fd++) {
            if (slots[fd] != null && Errno.EBADF.is(posix.fcntl(fd, FileConstants.F_GETFD, 0))) {
                FdSet.set(sets, RESULT + READ, fd);
                FdSet.set(sets, RESULT + WRITE, fd);
                FdSet.set(sets, RESULT + EXCEPTION, fd);
                bad++;
            }
        }
        return bad;
    }

    @Override
    protected boolean wokenUp() {
        return FdSet.isSet(sets, RESULT + READ, wakeUpDescriptor);
    }

    @Override
    protected void collect(ReadyBatch ready, int found) {
        int size = highest + 1;
        int fd = scanStart < size ? scanStart : 0;
        // The result of the call is a number of bits, not of handles, so it cannot end this loop early.
        for (int looked = 0; looked < size && !ready.isFull(); looked++) {
            Slot slot = slots[fd];
            if (slot != null) {
                int events = (FdSet.isSet(sets, RESULT + READ, fd) ? EventType.READ : 0)
                        | (FdSet.isSet(sets, RESULT + WRITE, fd) ? EventType.WRITE : 0)
                        | (FdSet.isSet(sets, RESULT + EXCEPTION, fd) ? EventType.EXCEPTION : 0);
                report(ready, slot, events);
            }
            fd = fd + 1 < size ? fd + 1 : 0;
        }
        scanStart = fd;
    }

    @Override
    protected void dispose() {
        if (memory != null) {
            memory.close();
        }
    }
}
