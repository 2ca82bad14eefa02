package dev.sluice.demultiplexer.kqueue;

import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.Kevent;
import dev.sluice.calls.layout.KqueueConstants;
import dev.sluice.demultiplexer.handleset.KernelMember;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A handle in the set of a kqueue, and its filters. */
final class KqueueMember extends KernelMember {

    /** The size of the changes of one update, of which each filter may need two. */
    static final int STRUCTURE_SIZE = Filters.MAX_CHANGES * Kevent.SIZE;

    /** The index of this member in the batch that is being filled; used by the thread that reports it. */
    int indexInBatch;
    /** Whether it is on the list of members whose changes the next wait submits; guarded by the list. */
    boolean deferred;

    private final KqueueDemultiplexer demultiplexer;
    /** The events for which the kernel has filters; in a one-shot set, filters may be disabled. */
    private int submittedEvents;
    private int submittedBefore;
    private boolean known;
    /** Whether it is a file, which the kernel would report depending on the descriptor's position. */
    private boolean alwaysReady;

    KqueueMember(KqueueDemultiplexer demultiplexer, Handle handle, int events, @Nullable Object attachment)
            throws HandleClosedException {
        super(demultiplexer, handle, events, attachment);
        this.demultiplexer = demultiplexer;
    }

    @Override
    protected void updateKernel() throws IOException {
        if (!known && isValid()) {
            alwaysReady = demultiplexer.isAlwaysReady(descriptor());
        }
        if (alwaysReady) {
            followAlwaysReady();
            return;
        }
        requireFilters();
        // Neither the first change, because the caller must get its error, nor the last, because the descriptor is
        // about to be closed.
        if (known && isValid() && demultiplexer.defer(this)) {
            return;
        }
        known = true;
        updateKernelNow();
    }

    private void followAlwaysReady() {
        known = true;
        int wanted = armedEvents();
        // A one-shot member that has been reported is already on no list.
        if (wanted != 0 || activeEvents() == 0) {
            beAlwaysReady(wanted);
        }
    }

    void updateKernelNow() throws IOException {
        demultiplexer.cancelDeferred(this);
        int changes = writeChanges(structure(), structureAt());
        int result = changes == 0 ? 0 : demultiplexer.change(structureAddress(), changes);
        // If no events are wanted, all changes were deletions, which fail if other code has closed the descriptor.
        if (result < 0 && (submittedEvents != 0 || !isGone(result))) {
            changeFailed();
            throw new SystemCallException("kevent", handle().toString(), result);
        }
    }

    // FreeBSD answers EPIPE for the write end of a pipe whose read end is closed.
    static boolean isGone(int result) {
        return Errno.ENOENT.is(result) || Errno.EBADF.is(result) || Errno.EPIPE.is(result);
    }

    /**
     * Writes the changes that update the kernel's filters to the armed events, and records them as submitted.
     *
     * @return the number of changes
     */
    int writeChanges(ByteBuffer memory, int at) {
        submittedBefore = submittedEvents;
        int wanted = armedEvents();
        // The filters of a one-shot member that has been reported stay disabled in the kernel: rearming takes one call.
        if (wanted == 0 && activeEvents() != 0) {
            return 0;
        }
        int changes = 0;
        for (int left = wanted; left != 0; left &= left - 1) {
            int event = Integer.lowestOneBit(left);
            boolean exists = (submittedEvents & event) != 0;
            if (exists && demultiplexer.trigger() == Trigger.EDGE) {
                // A filter that is deleted and added again reports its event if the handle is still ready.
                write(memory, at + changes++ * Kevent.SIZE, event, KqueueConstants.EV_DELETE, 0);
            }
            int action = action(exists);
            if (action != 0) {
                write(memory, at + changes++ * Kevent.SIZE, event, action, Filters.notes(event));
            }
        }
        for (int left = submittedEvents & ~wanted; left != 0; left &= left - 1) {
            write(memory, at + changes++ * Kevent.SIZE, Integer.lowestOneBit(left), KqueueConstants.EV_DELETE, 0);
        }
        submittedEvents = wanted;
        return changes;
    }

    /** Called if the changes written last may not have been applied. Submitting them twice has no effect. */
    void changeFailed() {
        submittedEvents = submittedBefore;
    }

    /** Called if the kernel has not added the filter for an event. Adding a filter twice has no effect. */
    void filterRefused(int event) {
        submittedEvents &= ~event;
    }

    private int action(boolean exists) {
        return switch (demultiplexer.trigger()) {
            case LEVEL -> exists ? 0 : KqueueConstants.EV_ADD;
            case EDGE -> KqueueConstants.EV_ADD | KqueueConstants.EV_CLEAR;
            // Filters that have not fired are still enabled; enabling them again has no effect.
            case ONE_SHOT -> KqueueConstants.EV_DISPATCH
                    | (exists ? KqueueConstants.EV_ENABLE : KqueueConstants.EV_ADD);
        };
    }

    private void write(ByteBuffer memory, int at, int event, int action, int notes) {
        Kevent.set(memory, at, descriptor(), Filters.filter(event), action, notes, eventData());
    }

    private void requireFilters() throws IOException {
        int unknown = armedEvents() & ~Filters.known();
        if (unknown != 0) {
            throw new IOException(demultiplexer.name() + " cannot wait for " + EventType.toString(unknown) + " of "
                    + handle() + ": there is no filter for it here; use poll or select");
        }
    }
}
