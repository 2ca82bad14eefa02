package dev.sluice.demultiplexer.wfmo;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.Win32Constants;
import dev.sluice.deadline.Timeout;
import dev.sluice.demultiplexer.handleset.KernelMember;
import dev.sluice.demultiplexer.handleset.KernelSetDemultiplexer;
import dev.sluice.demultiplexer.handleset.PendingSignal;
import dev.sluice.demultiplexer.handleset.RepeatedCall;
import dev.sluice.demultiplexer.handleset.SocketsOnly;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.failure.CloseSteps;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The handle set of {@code WaitForMultipleObjects}: an event for each slot of its table, and one for wake-ups. */
public final class WfmoDemultiplexer extends KernelSetDemultiplexer {

    /** The name by which it is chosen. */
    public static final String NAME = "wfmo";

    private static final int MAX_MEMBERS = EventArray.SIZE - 1;
    /** The index of the event for wake-ups. */
    private static final int WAKE_UP_EVENT = MAX_MEMBERS;
    /** Stands for the index if no event is set. */
    private static final int NONE = EventArray.SIZE;

    /** The interval at which members are checked, see {@link #watch}. */
    private static final long CHECK_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Windows windows = Bindings.current().windows();
    private final EventArray events;
    /** A bit for each slot whose member is checked periodically. */
    private final AtomicLong watched = new AtomicLong();
    private final AtomicInteger rotation = new AtomicInteger();
    private final PendingSignal wakeUpPending = new PendingSignal();
    private final Runnable wakeUp = this::setWakeUp;
    private final CloseSteps disposal = new CloseSteps(this::closeEvents, table::close);

    /**
     * Opens a demultiplexer with an empty set.
     *
     * @throws IOException if the system refuses
     */
    public WfmoDemultiplexer() throws IOException {
        super(NAME, Trigger.ONE_SHOT, "WaitForMultipleObjects", WfmoMember.STRUCTURE_SIZE);
        // Last, because nothing would close it if there were no memory for the rest.
        events = new EventArray(Bindings.current());
    }

    @Override
    protected int maxMembers() {
        return MAX_MEMBERS;
    }

    @Override
    protected KernelMember newMember(Handle handle, int wanted, @Nullable Object attachment) throws IOException {
        SocketsOnly.require(NAME, handle);
        return new WfmoMember(this, handle, wanted, attachment);
    }

    @Override
    protected int eventBytes(int capacity) {
        return 0;
    }

    long event(int slot) {
        return events.event(slot);
    }

    /** Sets an event, so that a waiter checks the member of that index. Called while the demultiplexer is open. */
    void set(int index) {
        int result = windows.SetEvent(events.event(index));
        if (result < 0) {
            throw new UncheckedIOException(
                    new SystemCallException("SetEvent", NAME, WindowsError.toErrno(result)));
        }
    }

    /** Makes waiters check a member periodically, because the system may not report when it becomes ready. */
    void watch(int slot) {
        watched.getAndUpdate(slots -> slots | 1L << slot);
    }

    @Override
    protected int await(ReadyBatch batch, long timeoutNanos) throws IOException {
        try {
            return super.await(batch, timeoutNanos);
        } finally {
            wakeForWatched();
        }
    }

    /** Wakes up another waiter, which may be sleeping without a timeout, so that it checks the watched members. */
    private void wakeForWatched() {
        long slots = watched.get();
        if (slots != 0) {
            RepeatedCall.run(() -> set(Long.numberOfTrailingZeros(slots)));
        }
    }

    /**
     * {@return the index of an event that is set, plus one; {@link #NONE} plus one if the watched members must be
     * checked; 0 after the timeout; or a negated error number}
     */
    @Override
    protected int call(ReadyBatch batch, long timeoutNanos) {
        // Each wait begins with a different event, so that an event that is set again and again does not exclude the
        // others.
        int first = rotation.getAndIncrement() & EventArray.SIZE - 1;
        boolean check = watched.get() != 0 && (timeoutNanos < 0 || timeoutNanos > CHECK_INTERVAL_NANOS);
        int index = next(first, EventArray.SIZE, Timeout.millis(check ? CHECK_INTERVAL_NANOS : timeoutNanos));
        if (index < 0) {
            return index;
        }
        return index == NONE && watched.get() == 0 ? 0 : index + 1;
    }

    /**
     * Waits for an event that is set, and resets it.
     *
     * @param first the index of the first event to wait for
     * @param count the number of events to wait for
     * @return its index, {@link #NONE}, or a negated error number
     */
    private int next(int first, int count, int timeoutMillis) {
        int result = windows.WaitForMultipleObjects(count, events.from(first), 0, timeoutMillis);
        if (result < 0) {
            return WindowsError.toErrno(result);
        }
        return result == Win32Constants.WAIT_TIMEOUT ? NONE
                : first + result - Win32Constants.WAIT_OBJECT_0 & EventArray.SIZE - 1;
    }

    /** {@inheritDoc} If it ends with a wake-up, other events stay set. */
    @Override
    protected boolean collect(ReadyBatch batch, int found) throws IOException {
        int index = found - 1;
        for (int left = EventArray.SIZE - 1; index >= 0 && index < NONE; left--) {
            if (index == WAKE_UP_EVENT) {
                wakeUpPending.taken();
                requireOpen();
                return true;
            }
            report(index, batch);
            index = left == 0 || batch.isFull() ? NONE : next(index + 1 & EventArray.SIZE - 1, left, 0);
        }
        if (index < 0) {
            requireInterrupted(index);
        }
        checkWatched(batch);
        return batch.size() > 0;
    }

    private void report(int slot, ReadyBatch batch) {
        WfmoMember member = (WfmoMember) table.members[slot];
        if (member != null) {
            member.report(batch);
        }
    }

    private void checkWatched(ReadyBatch batch) {
        for (long slots = watched.get(); slots != 0 && !batch.isFull(); slots &= slots - 1) {
            int slot = Long.numberOfTrailingZeros(slots);
            // Cleared before the report, because the member may be armed again during it.
            watched.getAndUpdate(before -> before & ~(1L << slot));
            report(slot, batch);
        }
    }

    @Override
    public void wakeUp() {
        wakeUpPending.give(wakeUp);
    }

    private void setWakeUp() {
        if (enter()) {
            try {
                endWaits();
            } finally {
                leave();
            }
        }
    }

    @Override
    protected void endWaits() {
        set(WAKE_UP_EVENT);
    }

    @Override
    protected void dispose() {
        disposal.run();
    }

    private void closeEvents() {
        events.close();
    }
}
