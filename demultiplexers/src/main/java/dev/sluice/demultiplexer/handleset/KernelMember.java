package dev.sluice.demultiplexer.handleset;

import dev.sluice.calls.MemoryBlock;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A handle in a set that is in the kernel. Events carry a number by which a {@link MemberTable} finds the member; the
 * table also has the memory for the structure that describes the member to the kernel.
 */
public abstract class KernelMember extends Member {

    private final KernelSetDemultiplexer demultiplexer;
    private final Object lock;
    private int slot;
    private @Nullable ByteBuffer structure;
    private int at;
    private long address;
    /** Whether the member has left the set; guarded by the lock. */
    private boolean left;
    /** The next of the {@link AlwaysReadyMembers}, the last one itself; null if it is none. Guarded by their lock. */
    @Nullable KernelMember nextAlwaysReady;

    /**
     * Creates a member, which holds the handle open.
     *
     * @param demultiplexer the demultiplexer that it belongs to
     * @param handle        the handle
     * @param events        the events to wait for
     * @param attachment    the attachment of the membership
     */
    protected KernelMember(KernelSetDemultiplexer demultiplexer, Handle handle, int events, @Nullable Object attachment)
            throws HandleClosedException {
        super(demultiplexer.set(), handle, events, attachment);
        this.demultiplexer = demultiplexer;
        Object shared = demultiplexer.changeLock();
        this.lock = shared != null ? shared : this;
    }

    void assignSlot(int newSlot, int generation, MemoryBlock block, int offset) {
        slot = newSlot;
        setEventData((long) generation << Integer.SIZE | newSlot);
        structure = block.buffer();
        at = offset;
        address = block.address() + offset;
    }

    /** {@return the index of the member in the table, less than the largest number of members that the set has had} */
    protected final int slot() {
        return slot;
    }

    /** {@return the memory with this member's structure for the system} Used by the thread that holds the lock. */
    protected final ByteBuffer structure() {
        assert structure != null;
        return structure;
    }

    /** {@return the offset of the structure in {@link #structure()}} */
    protected final int structureAt() {
        return at;
    }

    /** {@return the address of the structure} */
    protected final long structureAddress() {
        return address;
    }

    /**
     * Updates the kernel's set to the events that are wanted now, or ensures that this happens before the next wait.
     * Called with the lock held, while the kernel's set is open.
     */
    protected abstract void updateKernel() throws IOException;

    /**
     * Makes each wait report the handle as ready, because the kernel does not do so or refuses the handle. Called
     * instead of updating the kernel's set, with the lock held.
     *
     * @param events the events to wait for now
     */
    protected final void beAlwaysReady(int events) {
        demultiplexer.followAlwaysReady(this, events);
    }

    /**
     * Leaves the set even if the kernel refuses: the kernel removes the descriptor when it is closed, and events that
     * were reported before then find no member.
     */
    private void leave() throws IOException {
        try {
            updateKernel();
        } finally {
            left = true;
            try {
                if (isForgotten()) {
                    forget();
                }
            } finally {
                releaseHandle();
            }
        }
    }

    /**
     * {@return whether no event of this member can arrive any more} Otherwise the member stays in the table, and calls
     * {@link #forget()} when the last event has arrived. Called with the lock held.
     */
    protected boolean isForgotten() {
        return true;
    }

    /** Removes this member from the table: events no longer find it. */
    protected final void forget() {
        demultiplexer.forget(this);
    }

    /** {@return whether this member has left the set} Called with the lock held. */
    protected final boolean hasLeft() {
        return left;
    }

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
                // Removed before the close, which therefore did not wait for it; the kernel's set no longer exists.
                left = true;
                releaseHandle();
                return;
            }
            try {
                if (isValid()) {
                    updateKernel();
                } else {
                    leave();
                }
            } finally {
                demultiplexer.leave();
            }
        }
    }
}
