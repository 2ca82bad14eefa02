package dev.sluice.demultiplexer.kqueue;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Bsd;
import dev.sluice.calls.Errno;
import dev.sluice.calls.KqueueLibrary;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.calls.layout.Kevent;
import dev.sluice.calls.layout.KqueueConstants;
import dev.sluice.calls.layout.Timespec;
import dev.sluice.demultiplexer.handleset.KernelMember;
import dev.sluice.demultiplexer.handleset.KernelSetDemultiplexer;
import dev.sluice.demultiplexer.spi.EventType;
import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.demultiplexer.spi.ReadyBatch;
import dev.sluice.demultiplexer.spi.Trigger;
import dev.sluice.failure.CloseSteps;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SystemCallException;
import dev.sluice.system.OperatingSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A handle set that is a kqueue. Changes to an iterative set while no thread waits are submitted by the next wait, in
 * the same system call; a change during a wait is a system call of its own.
 */
public final class KqueueDemultiplexer extends KernelSetDemultiplexer {

    /** The maximum number of changes that one call submits. */
    private static final int CHANGES = 64;
    /** Some kernels reject a timeout of more than 100 million seconds as an invalid argument. */
    private static final long MAX_WAIT_NANOS = 100_000_000L * 1_000_000_000L;
    private static final long NO_TIMEOUT = 0;

    private final Posix posix = Bindings.current().posix();
    private final Bsd bsd = Bindings.current().bsd();
    private final int kq;
    private final CloseSteps disposal;
    private final @Nullable UserEvent signal;
    /**
     * Members that have changed while no thread waited. The list is also the lock under which members change, because
     * one call submits the changes of many of them. Null on a concurrent set, on which a thread may wait at any time.
     */
    private final @Nullable List<KqueueMember> deferred;
    /**
     * The members whose changes are being submitted to the kernel; guarded by the list of deferred members. With
     * capacity for all, because a change must not be lost for lack of memory.
     */
    private final List<KqueueMember> submitting = new ArrayList<>(CHANGES);
    private final MemoryBlock changes;
    private volatile boolean anyDeferred;

    /**
     * Opens an instance with an empty set.
     *
     * @param name    the name by which the demultiplexer was chosen
     * @param trigger when a ready handle is reported
     * @throws IOException if the system refuses
     */
    @SuppressWarnings("this-escape") // Used only by the close.
    public KqueueDemultiplexer(String name, Trigger trigger) throws IOException {
        super(name, trigger, "kevent", KqueueMember.STRUCTURE_SIZE);
        deferred = handleSetKind() == HandleSetKind.ITERATIVE ? new ArrayList<>() : null;
        disposal = new CloseSteps(this::closeSignal, this::closeInstance, this::freeChanges, table::close);
        changes = Bindings.current().memory().allocate(CHANGES * Kevent.SIZE);
        kq = openInstance();
        UserEvent opened = null;
        try {
            if (kq < 0) {
                throw new SystemCallException("kqueue", KqueueLibrary.file().orElse(name), kq);
            }
            // A child process does not inherit a kqueue, but the descriptor survives an exec.
            int result = posix.fcntl(kq, FileConstants.F_SETFD, FileConstants.FD_CLOEXEC);
            if (result < 0) {
                throw new SystemCallException("fcntl", name, result);
            }
            opened = new UserEvent(bsd, kq, name, WAKE_UP);
        } finally {
            signal = opened;
            if (opened == null) {
                discard();
            }
        }
    }

    private int openInstance() {
        try {
            return bsd.kqueue();
        } catch (Throwable e) {
            freeChanges();
            throw e;
        }
    }

    @Override
    protected @Nullable Object changeLock() {
        return deferred;
    }

    @Override
    protected KernelMember newMember(Handle handle, int events, @Nullable Object attachment)
            throws HandleClosedException {
        return new KqueueMember(this, handle, events, attachment);
    }

    /**
     * {@return whether poll(2) always reports the descriptor as ready} That is so if it has a file position, as regular
     * files have. On BSD a terminal has one too, and is excluded.
     */
    boolean isAlwaysReady(long descriptor) {
        return posix.lseek((int) descriptor, 0, FileConstants.SEEK_CUR) >= 0 && posix.isatty((int) descriptor) == 0;
    }

    int change(long address, int count) {
        return bsd.kevent(kq, address, count, 0, 0, NO_TIMEOUT);
    }

    /**
     * Defers a change to the next wait. Called with the lock held.
     *
     * @return whether the change is deferred; false if the caller must update the kernel's set, because a thread may be
     *         waiting
     */
    boolean defer(KqueueMember member) {
        if (deferred == null || isWaiting()) {
            return false;
        }
        addDeferred(member);
        // A wait that began before the write above does not see the change.
        return !isWaiting();
    }

    /** Adds a member to the list of deferred changes. Called with the lock held. */
    private void addDeferred(KqueueMember member) {
        assert deferred != null;
        if (!member.deferred) {
            // First, because there may be no memory for it.
            deferred.add(member);
            member.deferred = true;
        }
        anyDeferred = true;
    }

    /** Removes a member from the list of deferred changes. Called with the lock held. */
    void cancelDeferred(KqueueMember member) {
        if (member.deferred) {
            member.deferred = false;
            assert deferred != null;
            deferred.remove(member);
        }
    }

    @Override
    protected int eventBytes(int capacity) {
        return Math.addExact(Math.multiplyExact(capacity, Kevent.SIZE), Timespec.SIZE);
    }

    private static int timeoutAt(ReadyBatch batch) {
        return batch.capacity() * Kevent.SIZE;
    }

    @Override
    protected int call(ReadyBatch batch, long timeoutNanos) throws IOException {
        while (anyDeferred) {
            int found = submitDeferred(batch);
            if (found != 0) {
                return found;
            }
        }
        return wait(batch, 0, timeoutNanos);
    }

    /**
     * Submits deferred changes, and collects the events that are ready. Does not sleep, because it holds the lock that
     * prevents changes of other threads from overtaking these.
     */
    private int submitDeferred(ReadyBatch batch) throws IOException {
        assert deferred != null;
        synchronized (deferred) {
            // The kernel may return an event for each change, which reports its error.
            int limit = Math.min(CHANGES, batch.limit());
            int count = 0;
            while (!deferred.isEmpty() && submitting.size() < CHANGES && count + Filters.MAX_CHANGES <= limit) {
                KqueueMember member = deferred.remove(deferred.size() - 1);
                member.deferred = false;
                submitting.add(member);
                count += member.writeChanges(changes.buffer(), count * Kevent.SIZE);
            }
            if (limit < Filters.MAX_CHANGES) {
                while (!deferred.isEmpty()) {
                    updateNow(deferred.get(deferred.size() - 1));
                }
            }
            anyDeferred = !deferred.isEmpty();
            return submit(batch, count);
        }
    }

    /** Submits the change of a member by a call of its own, which reports an error without an event. */
    private void updateNow(KqueueMember member) throws IOException {
        try {
            member.updateKernelNow();
        } catch (IOException e) {
            addDeferred(member);
            throw e;
        }
    }

    private int submit(ReadyBatch batch, int changeCount) {
        boolean submitted = false;
        try {
            int found = changeCount == 0 ? 0 : wait(batch, changeCount, 0);
            // An interrupted call has applied the changes (kqueue(2)).
            submitted = found >= 0 || Errno.EINTR.is(found);
            return found;
        } finally {
            if (!submitted) {
                submitting.forEach(this::deferAgain);
            }
            submitting.clear();
        }
    }

    private void deferAgain(KqueueMember member) {
        member.changeFailed();
        addDeferred(member);
    }

    private int wait(ReadyBatch batch, int changeCount, long timeoutNanos) {
        long timeout = NO_TIMEOUT;
        if (timeoutNanos >= 0) {
            Timespec.set(batch.buffer(), timeoutAt(batch), Math.min(timeoutNanos, MAX_WAIT_NANOS));
            timeout = batch.address() + timeoutAt(batch);
        }
        return bsd.kevent(kq, changes.address(), changeCount, batch.address(), batch.limit(), timeout);
    }

    @Override
    protected boolean collect(ReadyBatch batch, int found) throws IOException {
        ByteBuffer events = batch.buffer();
        IOException failure = null;
        boolean wokenUp = false;
        for (int i = 0, at = 0; i < found; i++, at += Kevent.SIZE) {
            long data = Kevent.udata(events, at);
            if (data == WAKE_UP) {
                wokenUp = true;
            } else if ((Kevent.flags(events, at) & KqueueConstants.EV_ERROR) != 0) {
                failure = failed(batch, (KqueueMember) table.find(data), events, at, failure);
            } else {
                report(batch, (KqueueMember) table.find(data), Filters.ready(events, at));
            }
        }
        if (wokenUp) {
            takeSignal();
        }
        if (failure != null) {
            throw failure;
        }
        return wokenUp || batch.size() > 0;
    }

    private void report(ReadyBatch batch, @Nullable KqueueMember member, int events) {
        if (member != null && isIn(batch, member)) {
            batch.addEvents(member.indexInBatch, events);
        } else if (member != null && mayReport(member, events)) {
            member.indexInBatch = batch.size();
            batch.add(member, events);
        }
    }

    // Another waiter may write the index at the same time, so it is checked against the batch of this waiter.
    private static boolean isIn(ReadyBatch batch, KqueueMember member) {
        int index = member.indexInBatch;
        return index < batch.size() && batch.membership(index) == member;
    }

    // Handles the error of a deferred change. If other code has closed the descriptor, the member is reported as ready
    // for everything, and the next call on it reports why. Otherwise the next wait submits the change again.
    private @Nullable IOException failed(ReadyBatch batch, @Nullable KqueueMember member, ByteBuffer events, int at,
            @Nullable IOException before) {
        int error = -Kevent.error(events, at);
        if (member == null || error == 0) {
            return before;
        }
        if (KqueueMember.isGone(error)) {
            report(batch, member, EventType.IO);
            return before;
        }
        refused(member, Filters.event(Kevent.filter(events, at)));
        IOException failure = new SystemCallException("kevent", member.handle().toString(), error);
        if (before != null) {
            failure.addSuppressed(before);
        }
        return failure;
    }

    private void refused(KqueueMember member, int event) {
        assert deferred != null;
        synchronized (deferred) {
            member.filterRefused(event);
            // A member that is leaving the set updates the kernel itself.
            if (member.isValid()) {
                addDeferred(member);
            }
        }
    }

    private void takeSignal() throws IOException {
        assert signal != null;
        signal.taken();
        requireOpen();
    }

    @Override
    public void wakeUp() {
        if (enter()) {
            try {
                assert signal != null;
                signal.give();
            } finally {
                leave();
            }
        }
    }

    @Override
    protected void endWaits() {
        assert signal != null;
        signal.repeat();
    }

    @Override
    protected void dispose() {
        disposal.run();
    }

    private void closeSignal() {
        if (signal != null) {
            signal.close();
        }
    }

    private void closeInstance() {
        if (kq >= 0) {
            OperatingSystem.current().close(kq, false);
        }
    }

    private void freeChanges() {
        changes.close();
    }
}
