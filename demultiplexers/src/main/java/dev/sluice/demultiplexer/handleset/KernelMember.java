package dev.sluice.demultiplexer.handleset;

import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import java.io.IOException;

/** A handle in a set that is in the kernel. */
public abstract class KernelMember extends TableMember {

    private final KernelSetDemultiplexer demultiplexer;
    private final Object lock;
    /** Guarded by the lock. */
    private boolean left;

    /**
     * Holds the handle open from now on.
     *
     * @param demultiplexer the demultiplexer that it belongs to
     * @param handle        the handle
     * @param events        to wait for
     * @param attachment    the attachment of the membership
     */
    protected KernelMember(KernelSetDemultiplexer demultiplexer, Handle handle, int events, Object attachment)
            throws HandleClosedException {
        super(demultiplexer.set(), handle, events, attachment);
        this.demultiplexer = demultiplexer;
        Object shared = demultiplexer.changeLock();
        this.lock = shared != null ? shared : this;
    }

    /**
     * Updates the kernel's set to the events that are wanted now, or arranges that this is done before the next wait.
     * Called with the lock held, while the kernel's set is open.
     */
    protected abstract void updateKernel() throws IOException;

    /**
     * Reports the handle as always ready, if the kernel does not do so or refuses the handle: from now on this is
     * called instead of updating the kernel's set. Called with the lock held.
     *
     * @param events to wait for now
     */
    protected final void beAlwaysReady(int events) {
        demultiplexer.followAlwaysReady(this, events);
    }

    /**
     * Leaves the set even if the kernel refuses: it forgets the descriptor when that is closed, and its events then
     * lead nowhere.
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
     * {@return whether no event of this can come any more} If one can, it leads to this, which is to {@link #forget()}
     * itself then. Called with the lock held.
     */
    protected boolean isForgotten() {
        return true;
    }

    /** Leads no event to this any more. */
    protected final void forget() {
        demultiplexer.forget(this);
    }

    /** {@return whether this has left the set} Called with the lock held. */
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
                // Removed before the close, which therefore did not wait for it; the kernel's set is gone.
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
