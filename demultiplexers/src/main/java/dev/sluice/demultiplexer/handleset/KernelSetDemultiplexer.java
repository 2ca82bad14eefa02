package dev.sluice.demultiplexer.handleset;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Memory;
import dev.sluice.deadline.Timeout;
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
import org.jspecify.annotations.Nullable;

/**
 * A demultiplexer whose set is in the kernel. Each change to it is a system call, which any thread may make at any
 * time.
 */
public abstract class KernelSetDemultiplexer implements SynchronousEventDemultiplexer {

    /**
     * The data that events of the wake-up carry. No member has this value: its slot would be the last of the largest
     * table.
     */
    protected static final long WAKE_UP = -1;

    private final String name;
    private final Trigger trigger;
    private final String waitCall;
    private final Memory memory = Bindings.current().memory();
    private final HandleSet set;
    /** Finds the member that an event is for. */
    protected final MemberTable table;
    private final UseCount users;
    private final AlwaysReadyMembers alwaysReady;
    /**
     * Whether there are members that each wait must report although the kernel does not; written by the list of these
     * members.
     */
    protected volatile boolean hasAlwaysReady;
    private final CloseSteps closing;

    /**
     * Creates a demultiplexer with an empty set.
     *
     * @param name the name by which the demultiplexer was chosen
     * @param trigger       when a ready handle is reported
     * @param waitCall      the C function that waits, for messages
     * @param structureSize the number of bytes that each member needs to be described to the kernel
     */
    @SuppressWarnings("this-escape") // Used only by the close.
    protected KernelSetDemultiplexer(String name, Trigger trigger, String waitCall, int structureSize) {
        this.name = name;
        this.trigger = trigger;
        this.waitCall = waitCall;
        this.set = new HandleSet(name);
        this.table = new MemberTable(memory, structureSize);
        this.users = new UseCount(this::dispose);
        this.closing = new CloseSteps(set::close, this::propagateClose);
        this.alwaysReady = new AlwaysReadyMembers(this);
    }

    /** {@return a new member of this set, for which {@link Member#enter()} has not been called yet} */
    protected abstract KernelMember newMember(Handle handle, int events, @Nullable Object attachment)
            throws IOException;

    /** {@return the maximum number of members} */
    protected int maxMembers() {
        return Integer.MAX_VALUE;
    }

    /** {@return the number of bytes that the call fills in for a batch of the given capacity; 0 if it fills in none} */
    protected abstract int eventBytes(int capacity);

    /**
     * Makes the system call once.
     *
     * @param batch the batch whose memory the call fills in
     * @param timeoutNanos the maximum time to wait, in nanoseconds; {@link #FOREVER} means no limit
     * @return the result of the call, or a negated error number
     */
    protected abstract int call(ReadyBatch batch, long timeoutNanos) throws IOException;

    /**
     * Reports what the last call found.
     *
     * @return whether there is a reason to return: a ready handle, or a wake-up
     */
    protected abstract boolean collect(ReadyBatch batch, int found) throws IOException;

    /** Wakes all waiters of the set, so that they see that it has been closed. */
    protected abstract void endWaits();

    /**
     * Closes the {@link #table} and everything that the constructor has opened; the constructor may have failed
     * halfway. Called again if there was not enough memory.
     */
    protected abstract void dispose();

    /** {@return the lock under which all members change their state; null if each member has its own lock} */
    protected @Nullable Object changeLock() {
        return null;
    }

    /** {@return the set} */
    final HandleSet set() {
        return set;
    }

    /** {@return whether the instance stays open until {@link #leave}; false if it has been closed} */
    protected final boolean enter() {
        return users.enter();
    }

    /** Ends {@link #enter}. */
    protected final void leave() {
        users.leave();
    }

    /** Closes what a constructor that failed has opened. */
    protected final void discard() {
        users.discard();
    }

    final void forget(KernelMember member) {
        table.remove(member);
    }

    final void followAlwaysReady(KernelMember member, int events) {
        // In this order: a thread that begins to wait after the check has seen the member.
        if (alwaysReady.follow(member, events) && users.hasWaiter()) {
            wakeUp();
        }
    }

    /** {@return whether the set is closed} */
    protected final boolean isClosed() {
        return set.isClosed();
    }

    /** {@return the exception to throw if the set is used after its close} */
    protected final HandleClosedException closedException() {
        return set.closedException();
    }

    /** {@return whether a thread waits on this set} */
    protected final boolean isWaiting() {
        return users.hasWaiter();
    }

    /**
     * Decides whether an event is reported, see {@link Member#mayReport}.
     *
     * @param member the member that the event is for; null if it has left
     * @param events bits of {@link dev.sluice.demultiplexer.spi.EventType#IO}
     * @return whether the caller must report the event
     */
    protected final boolean mayReport(@Nullable KernelMember member, int events) {
        return member != null && member.mayReport(events, trigger == Trigger.ONE_SHOT);
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final HandleSetKind handleSetKind() {
        return trigger == Trigger.ONE_SHOT ? HandleSetKind.CONCURRENT : HandleSetKind.ITERATIVE;
    }

    @Override
    public final Trigger trigger() {
        return trigger;
    }

    @Override
    public final ReadyBatch newReadyBatch(int capacity) {
        return new ReadyBatch(getClass(), capacity, memory, eventBytes(capacity));
    }

    @Override
    public final Membership register(Handle handle, int events, @Nullable Object attachment) throws IOException {
        if (!users.enter()) {
            throw set.closedException();
        }
        try {
            KernelMember member = newMember(handle, events, attachment);
            if (!table.add(member, maxMembers())) {
                throw new IOException(name + " cannot wait for " + handle + ": it already has "
                        + maxMembers() + " handles, the maximum of " + waitCall + "; use another demultiplexer");
            }
            member.enter();
            return member;
        } finally {
            users.leave();
        }
    }

    @Override
    public final int awaitReady(ReadyBatch ready, long timeoutNanos) throws IOException {
        ReadyBatch batch = ready.requireFrom(getClass());
        batch.clear();
        boolean exclusive = handleSetKind() == HandleSetKind.ITERATIVE;
        if (!users.enterAsWaiter(exclusive)) {
            if (set.isClosed()) {
                throw set.closedException();
            }
            throw new IllegalStateException(
                    "another thread waits on this " + name + " demultiplexer, an iterative handle set");
        }
        try {
            return await(batch, timeoutNanos);
        } finally {
            users.leaveAsWaiter(exclusive);
        }
    }

    /**
     * Waits, and repeats the system call if that returns without a ready handle or a wake-up. The caller is the only
     * waiter, or one of several of a concurrent set; the instance stays open during the call.
     *
     * @param batch an empty batch
     * @param timeoutNanos the maximum time to wait, in nanoseconds; negative means no limit
     * @return the number of ready handles
     */
    protected int await(ReadyBatch batch, long timeoutNanos) throws IOException {
        long timeout = Timeout.bounded(timeoutNanos);
        long begin = Timeout.begin(timeout);
        long left = timeout;
        do {
            boolean over = callOnce(batch, left);
            if (hasAlwaysReady) {
                alwaysReady.report(batch);
            }
            if (over || batch.size() > 0) {
                return batch.size();
            }
            left = Timeout.remaining(timeout, begin);
        } while (left != 0);
        return 0;
    }

    /** {@return whether there is a reason to return: a ready handle, or a wake-up} */
    private boolean callOnce(ReadyBatch batch, long timeoutNanos) throws IOException {
        boolean shared = hasAlwaysReady;
        divide(batch, shared);
        if (batch.limit() == 0) {
            return false;
        }
        int found = call(batch, shared ? 0 : timeoutNanos);
        if (found < 0) {
            requireInterrupted(found);
        }
        return found > 0 && collect(batch, found);
    }

    /**
     * Throws the error of a call that has failed, unless a signal has interrupted the call.
     *
     * @param result the result of the call, a negated error number
     */
    protected final void requireInterrupted(int result) throws SystemCallException {
        if (!Errno.EINTR.is(result)) {
            throw new SystemCallException(waitCall, name, result);
        }
    }

    /**
     * Divides the capacity of a batch between handles that the kernel finds ready and members that are always ready, so
     * that neither exclude the other. If the capacity is one, they use it alternately.
     */
    private static void divide(ReadyBatch batch, boolean shared) {
        if (!shared) {
            batch.limit(batch.capacity());
        } else if (batch.capacity() > 1) {
            batch.limit(batch.capacity() - 1);
        } else {
            batch.limit(1 - batch.limit());
        }
    }

    @Override
    public final void close() {
        StackReserve.requireForClose();
        try {
            closing.run();
        } finally {
            users.close();
        }
    }

    /** Ends the current waits, whose threads then see that the set is closed. */
    private void propagateClose() {
        RepeatedCall.runUntilAccepted(users, this::endWaits);
    }

    /**
     * Checks, when a waiter has taken a wake-up, that it was not the wake-up of the close, which is for all waiters:
     * each waiter passes it on to the next.
     *
     * @throws HandleClosedException if the set is closed
     */
    protected final void requireOpen() throws HandleClosedException {
        if (set.isClosed()) {
            propagateClose();
            throw set.closedException();
        }
    }
}
