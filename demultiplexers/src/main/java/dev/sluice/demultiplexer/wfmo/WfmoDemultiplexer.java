package dev.sluice.demultiplexer.wfmo;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Windows;
import dev.sluice.calls.WindowsError;
import dev.sluice.calls.layout.Win32Constants;
import dev.sluice.deadline.Timeout;
import dev.sluice.demultiplexer.handleset.HandleSet;
import dev.sluice.demultiplexer.handleset.PendingSignal;
import dev.sluice.demultiplexer.handleset.RepeatedCall;
import dev.sluice.demultiplexer.handleset.SocketsOnly;
import dev.sluice.demultiplexer.handleset.UseCount;
import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.demultiplexer.spi.Membership;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.failure.CloseSteps;
import dev.sluice.failure.StackReserve;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The handle set of {@code WaitForMultipleObjects}: an event for each of its places, and one for wake-ups. */
public final class WfmoDemultiplexer implements SynchronousEventDemultiplexer {

    /** The name by which it is chosen. */
    public static final String NAME = "wfmo";

    private static final int PLACES = EventArray.SIZE - 1;
    private static final int WAKE_UP = PLACES;
    private static final long ALL_PLACES = (1L << PLACES) - 1;

    /** How often a member is looked at, see {@link #watch}. */
    private static final int LOOK_MILLIS = 20;

    private final Binding binding;
    private final Windows windows;
    private final HandleSet set = new HandleSet(NAME);
    private final EventArray events;
    private final AtomicReferenceArray<WfmoMember> members = new AtomicReferenceArray<>(PLACES);
    /** A bit for each free place. */
    private final AtomicLong free = new AtomicLong(ALL_PLACES);
    /** A bit for each place whose member is looked at from time to time. */
    private final AtomicLong watched = new AtomicLong();
    private final AtomicInteger turns = new AtomicInteger();
    private final PendingSignal wakeUpPending = new PendingSignal();
    private final Runnable wakeUp = () -> signal(WAKE_UP);
    private final UseCount users = new UseCount(this::dispose);
    private final CloseSteps closing;

    /**
     * Opens it with an empty set.
     *
     * @throws IOException if the system refuses
     */
    public WfmoDemultiplexer() throws IOException {
        binding = Bindings.current();
        windows = binding.windows();
        closing = new CloseSteps(set::close, this::endWaits);
        // Last, because nothing closes it if the rest finds no memory.
        events = new EventArray(binding);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public HandleSetKind handleSetKind() {
        return HandleSetKind.CONCURRENT;
    }

    @Override
    public Trigger trigger() {
        return Trigger.ONE_SHOT;
    }

    @Override
    public ReadyBatch newReadyBatch(int capacity) {
        return new ReadyBatch(WfmoDemultiplexer.class, capacity);
    }

    @Override
    public Membership register(Handle handle, int events, Object attachment) throws IOException {
        SocketsOnly.require(NAME, handle);
        if (!users.enter()) {
            throw set.closedException();
        }
        try {
            WfmoMember member = newMember(handle, events, attachment);
            if (!place(member)) {
                member.remove();
                throw new IOException("wfmo cannot wait for " + handle + ": it has " + PLACES
                        + " handles already (MAXIMUM_WAIT_OBJECTS); use afd, wsapoll or select");
            }
            member.enter();
            return member;
        } finally {
            users.leave();
        }
    }

    private WfmoMember newMember(Handle handle, int events, Object attachment) throws HandleClosedException {
        MemoryBlock memory = binding.memory().allocate(WfmoMember.MEMORY_SIZE);
        try {
            return new WfmoMember(this, set, handle, events, attachment, windows, memory);
        } catch (Throwable e) {
            memory.close();
            throw e;
        }
    }

    private boolean place(WfmoMember member) {
        long places;
        long place;
        do {
            places = free.get();
            place = Long.lowestOneBit(places);
            if (place == 0) {
                return false;
            }
        } while (!free.compareAndSet(places, places & ~place));
        member.placed(Long.numberOfTrailingZeros(place));
        members.set(member.place(), member);
        return true;
    }

    void forget(WfmoMember member) {
        int place = member.place();
        if (place != WfmoMember.NOWHERE) {
            members.set(place, null);
            watched.getAndUpdate(places -> places & ~(1L << place));
            free.getAndUpdate(places -> places | 1L << place);
        }
    }

    long event(int place) {
        return events.event(place);
    }

    /** Makes a waiter look at a member. */
    void signal(int index) {
        if (users.enter()) {
            try {
                set(index);
            } finally {
                users.leave();
            }
        }
    }

    private void set(int index) {
        int result = windows.SetEvent(events.event(index));
        if (result < 0) {
            throw new UncheckedIOException(
                    new SystemCallException("SetEvent", NAME, WindowsError.toErrno(result)));
        }
    }

    /** Makes waiters check a member from time to time, because the system may not report when it becomes ready. */
    void watch(int place) {
        watched.getAndUpdate(places -> places | 1L << place);
    }

    @Override
    public int awaitReady(ReadyBatch ready, long timeoutNanos) throws IOException {
        ReadyBatch batch = ready.requireFrom(WfmoDemultiplexer.class);
        batch.clear();
        if (!users.enter()) {
            throw set.closedException();
        }
        try {
            return await(batch, timeoutNanos);
        } finally {
            try {
                handOverTheWatched();
            } finally {
                users.leave();
            }
        }
    }

    /** Another waiter must look at the watched members, and may be sleeping without a time limit. */
    private void handOverTheWatched() throws IOException {
        long places = watched.get();
        if (places != 0) {
            RepeatedCall.run(() -> set(Long.numberOfTrailingZeros(places)));
        }
    }

    private int await(ReadyBatch ready, long timeoutNanos) throws IOException {
        long timeout = Timeout.bounded(timeoutNanos);
        long begin = Timeout.begin(timeout);
        long left = timeout;
        do {
            if (collect(ready, Timeout.millis(left))) {
                return ready.size();
            }
            lookAtTheWatched(ready);
            if (ready.size() > 0) {
                return ready.size();
            }
            left = Timeout.left(timeout, begin);
        } while (left != 0);
        return 0;
    }

    /** {@return whether it ended with a wake-up; other events that are signalled stay signalled} */
    private boolean collect(ReadyBatch ready, int timeoutMillis) throws IOException {
        boolean look = watched.get() != 0 && (timeoutMillis < 0 || timeoutMillis > LOOK_MILLIS);
        int millis = look ? LOOK_MILLIS : timeoutMillis;
        // Each wait begins with a different event, so that none is always behind one that is set again and again.
        int first = turns.getAndIncrement() & EventArray.SIZE - 1;
        int left = EventArray.SIZE;
        while (left > 0 && !ready.isFull()) {
            int result = windows.WaitForMultipleObjects(left, events.from(first), 0, millis);
            if (result == Win32Constants.WAIT_TIMEOUT) {
                return false;
            }
            if (result < 0) {
                throw new SystemCallException("WaitForMultipleObjects", NAME, WindowsError.toErrno(result));
            }
            int index = first + result - Win32Constants.WAIT_OBJECT_0 & EventArray.SIZE - 1;
            if (index == WAKE_UP) {
                takeWakeUp();
                return true;
            }
            report(index, ready);
            left -= result - Win32Constants.WAIT_OBJECT_0 + 1;
            first = index + 1 & EventArray.SIZE - 1;
            millis = 0;
        }
        return false;
    }

    private void report(int place, ReadyBatch ready) {
        WfmoMember member = members.get(place);
        if (member != null) {
            member.report(ready);
        }
    }

    private void lookAtTheWatched(ReadyBatch ready) {
        for (long places = watched.get(); places != 0 && !ready.isFull(); places &= places - 1) {
            int place = Long.numberOfTrailingZeros(places);
            // In this order, because the member may be armed again in the meantime.
            watched.getAndUpdate(before -> before & ~(1L << place));
            report(place, ready);
        }
    }

    private void takeWakeUp() throws IOException {
        wakeUpPending.taken();
        if (set.isClosed()) {
            // Each waiter passes it on, until all of them have been here.
            endWaits();
            throw set.closedException();
        }
    }

    @Override
    public void wakeUp() {
        wakeUpPending.give(wakeUp);
    }

    @Override
    public void close() {
        StackReserve.requireForClose();
        try {
            closing.run();
        } finally {
            users.close();
        }
    }

    private void endWaits() {
        RepeatedCall.runUntilAccepted(users, () -> set(WAKE_UP));
    }

    private void dispose() {
        events.close();
    }
}
