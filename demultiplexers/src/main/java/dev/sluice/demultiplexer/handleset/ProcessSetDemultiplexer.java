package dev.sluice.demultiplexer.handleset;

import dev.sluice.calls.Errno;
import dev.sluice.deadline.Timeout;
import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.failure.CloseSteps;
import dev.sluice.failure.StackReserve;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SystemCallException;
import dev.sluice.handle.spi.Descriptor;
import dev.sluice.handle.spi.Descriptors;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A demultiplexer whose set is in the memory of the process and is passed to the system for each wait.
 *
 * <p>The system reads and writes that memory during the wait, so only its current user accesses it: the waiter, or
 * between waits a thread that makes a change. A change during a wait goes onto a list, and the waiter is woken up to
 * apply it. No thread blocks on another.
 */
public abstract class ProcessSetDemultiplexer implements SynchronousEventDemultiplexer {

    private static final int FREE = 0;
    private static final int APPLYING = 1;
    private static final int WAITING = 2;
    private static final int DISPOSED = 3;

    private final String name;
    private final HandleSet set;
    private final WakeUp wakeUp;
    private final CloseSteps closing;
    private final UseCount disposal;
    private final AtomicInteger use = new AtomicInteger(FREE);
    private final AtomicReference<Slot> changes = new AtomicReference<>();
    private final AtomicBoolean wakeUpRequested = new AtomicBoolean();

    /**
     * Opens a demultiplexer with an empty set.
     *
     * @param name the name of the mechanism
     */
    @SuppressWarnings("this-escape") // Used only by the close.
    protected ProcessSetDemultiplexer(String name) throws IOException {
        this.name = name;
        this.set = new HandleSet(name);
        // Before anything is opened, because there may be no memory for it.
        Runnable signal = this::signal;
        this.closing = new CloseSteps(set::close, () -> RepeatedCall.runUntilAccepted(signal));
        this.disposal = new UseCount(new CloseSteps(this::dispose, this::closeWakeUp)::run);
        this.wakeUp = new WakeUp(name);
    }

    private void signal() {
        wakeUp.signal();
    }

    private void closeWakeUp() {
        wakeUp.close();
    }

    /** Closes what a constructor that failed has opened. */
    protected final void discard() {
        disposal.discard();
    }

    /** A member with its place in the mechanism's memory, and a link for the list of changes. */
    protected final class Slot extends Member {

        /**
         * The place of the member in the mechanism's memory; negative while it has none. Used by the memory's current
         * user.
         */
        public int place = -1;
        private @Nullable Slot nextChange;
        private final AtomicBoolean queued = new AtomicBoolean();

        private Slot(Handle handle, int events, @Nullable Object attachment) throws IOException {
            super(set, handle, events, attachment);
        }

        @Override
        protected void follow() {
            queue();
            applyChangesOrWake();
        }

        private void queue() {
            if (queued.compareAndSet(false, true)) {
                push(this);
            }
        }
    }

    /** {@return the descriptor that the mechanism must wait for besides its set} */
    protected final long wakeUpDescriptor() {
        return wakeUp.descriptor();
    }

    /** Refuses a descriptor that the mechanism cannot wait for. */
    protected void requireFit(long descriptor, Handle handle) throws IOException {
    }

    /**
     * Writes the active events of a member into the mechanism's memory, or removes the member if it is no longer valid.
     */
    protected abstract void apply(Slot slot);

    /** Called after changes were applied between waits. */
    protected void changesApplied() {
    }

    /** Makes the system call once. */
    protected abstract int call(long timeoutNanos) throws IOException;

    /** {@return whether the last call found the wake-up descriptor readable} */
    protected abstract boolean wokenUp();

    /**
     * Reports the members that the last call found ready, until the batch is full. The next call of this method begins
     * after them.
     */
    protected abstract void collect(ReadyBatch ready, int found);

    /** Adds a slot to the batch, unless another thread has changed its events or removed it in the meantime. */
    protected final void report(ReadyBatch ready, Slot slot, int events) {
        if ((events & slot.activeEvents()) != 0) {
            ready.add(slot, events);
        }
    }

    /** Frees the mechanism's memory. */
    protected abstract void dispose();

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final HandleSetKind handleSetKind() {
        return HandleSetKind.ITERATIVE;
    }

    @Override
    public final Trigger trigger() {
        return Trigger.LEVEL;
    }

    @Override
    public final ReadyBatch newReadyBatch(int capacity) {
        return new ReadyBatch(getClass(), capacity);
    }

    @Override
    public final Membership register(Handle handle, int events, @Nullable Object attachment) throws IOException {
        Descriptor held = Descriptors.of(handle);
        long fd = held.acquire();
        try {
            requireFit(fd, handle);
        } finally {
            held.release();
        }
        Slot slot = new Slot(handle, events, attachment);
        slot.enter();
        return slot;
    }

    /** {@return whether the mechanism's memory has a current user; for assertions} */
    protected final boolean isInUse() {
        int now = use.get();
        return now == APPLYING || now == WAITING;
    }

    private void applyChangesOrWake() {
        while (changes.get() != null) {
            if (use.compareAndSet(FREE, APPLYING)) {
                try {
                    applyChanges();
                    changesApplied();
                } finally {
                    use.set(FREE);
                }
                if (set.isClosed()) {
                    disposeIfFree();
                }
            } else if (use.get() == DISPOSED) {
                releaseChanges();
            } else {
                // A waiter applies changes once it has been woken up. Any other thread that applies changes checks the
                // list again afterwards.
                if (use.get() == WAITING) {
                    wakeUp.signal();
                }
                return;
            }
        }
    }

    private void applyChanges() {
        assert isInUse();
        Slot slot = changes.getAndSet(null);
        while (slot != null) {
            Slot next = slot.nextChange;
            slot.queued.set(false);
            try {
                apply(slot);
            } catch (Throwable e) {
                // There was not enough memory. The next thread that applies changes tries again, and continues with the
                // others.
                slot.queue();
                putBack(next);
                throw e;
            }
            // Not isValid(): the member may have been removed after the call above, which then left the descriptor in
            // the mechanism's memory.
            if (slot.place < 0) {
                slot.releaseHandle();
            }
            slot = next;
        }
    }

    private void putBack(@Nullable Slot first) {
        Slot slot = first;
        while (slot != null) {
            Slot next = slot.nextChange;
            push(slot);
            slot = next;
        }
    }

    private void push(Slot slot) {
        Slot head;
        do {
            head = changes.get();
            slot.nextChange = head;
        } while (!changes.compareAndSet(head, slot));
    }

    private void releaseChanges() {
        for (Slot slot = changes.getAndSet(null); slot != null; slot = slot.nextChange) {
            slot.releaseHandle();
        }
    }

    @Override
    public final int awaitReady(ReadyBatch ready, long timeoutNanos) throws IOException {
        ReadyBatch batch = ready.requireFrom(getClass());
        batch.clear();
        beginWait();
        try {
            long timeout = Timeout.bounded(timeoutNanos);
            long begin = Timeout.begin(timeout);
            long left = timeout;
            do {
                applyChanges();
                if (set.isClosed()) {
                    throw set.closedException();
                }
                int found = call(left);
                if (found < 0 && !Errno.EINTR.is(found)) {
                    throw new SystemCallException(name, "handle set", found);
                }
                if (found > 0 && takeResults(batch, found)) {
                    return batch.size();
                }
                left = Timeout.remaining(timeout, begin);
            } while (left != 0);
            return 0;
        } finally {
            endWait();
        }
    }

    private boolean takeResults(ReadyBatch ready, int found) throws IOException {
        int handles = found;
        boolean requested = false;
        if (wokenUp()) {
            handles--;
            wakeUp.drain();
            requested = wakeUpRequested.getAndSet(false);
        }
        if (handles > 0) {
            collect(ready, handles);
        }
        return requested || ready.size() > 0;
    }

    private void beginWait() throws IOException {
        while (!use.compareAndSet(FREE, WAITING)) {
            switch (use.get()) {
                case WAITING -> throw new IllegalStateException(
                        "another thread waits on this " + name + " demultiplexer, an iterative handle set");
                case DISPOSED -> throw set.closedException();
                default -> Thread.onSpinWait();
            }
        }
    }

    private void endWait() {
        use.set(FREE);
        if (set.isClosed()) {
            disposeIfFree();
        }
        applyChangesOrWake();
    }

    private void disposeIfFree() {
        if (use.compareAndSet(FREE, APPLYING)) {
            boolean applied = false;
            try {
                applyChanges();
                changesApplied();
                applied = true;
            } finally {
                // Even if the disposal below fails for lack of memory: what it leaves must not be used again.
                use.set(applied ? DISPOSED : FREE);
            }
        }
        if (use.get() == DISPOSED) {
            disposal.close();
        }
    }

    @Override
    public final void wakeUp() {
        wakeUpRequested.set(true);
        wakeUp.signal();
    }

    @Override
    public final void close() {
        StackReserve.requireForClose();
        try {
            closing.run();
        } finally {
            disposeIfFree();
            applyChangesOrWake();
        }
    }
}
