package dev.sluice.demultiplexers.handleset;

import dev.sluice.calls.MemoryBlock;
import dev.sluice.demultiplexer.Trigger;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A handle in a set that lies in the kernel. */
public abstract class KernelMember extends Member {

    private final KernelSetDemultiplexer demultiplexer;
    private final Object lock;
    private int slot;
    private long eventData;
    private ByteBuffer structure;
    private int at;
    private long address;
    /** Guarded by the lock. */
    private boolean left;

    /**
     * Holds the handle open from now on.
     *
     * @param demultiplexer whose member it is
     * @param handle        the handle
     * @param events        to wait for
     * @param attachment    the registration's
     */
    protected KernelMember(KernelSetDemultiplexer demultiplexer, Handle handle, int events, Object attachment)
            throws HandleClosedException {
        super(demultiplexer.set(), handle, events, attachment);
        this.demultiplexer = demultiplexer;
        Object shared = demultiplexer.changeLock();
        this.lock = shared != null ? shared : this;
    }

    void placed(int newSlot, int generation, MemoryBlock block, int offset) {
        slot = newSlot;
        eventData = (long) generation << Integer.SIZE | newSlot;
        structure = block.buffer();
        at = offset;
        address = block.address() + offset;
    }

    int slot() {
        return slot;
    }

    /** {@return what leads from an event to this member} */
    public final long eventData() {
        return eventData;
    }

    /** {@return where this member has room to be described to the kernel, for who holds the lock} */
    protected final ByteBuffer structure() {
        return structure;
    }

    /** {@return where in {@link #structure()} the room begins} */
    protected final int structureAt() {
        return at;
    }

    /** {@return the room's address} */
    protected final long structureAddress() {
        return address;
    }

    /**
     * Tells the kernel what is wanted now, or sees to it that somebody does before the next wait. Called with the lock
     * held, while the kernel's set is open.
     */
    protected abstract void tellKernel() throws IOException;

    @Override
    protected final boolean isEdgeTriggered() {
        return demultiplexer.trigger() == Trigger.EDGE;
    }

    @Override
    protected final void follow() throws IOException {
        synchronized (lock) {
            if (left) {
                return;
            }
            if (!demultiplexer.enter()) {
                // Removed before the close, which therefore did not wait for it; the kernel's set is gone.
                left = true;
                letGo();
                return;
            }
            try {
                boolean valid = isValid();
                tellKernel();
                if (!valid) {
                    left = true;
                    demultiplexer.forget(this);
                    letGo();
                }
            } finally {
                demultiplexer.leave();
            }
        }
    }
}
