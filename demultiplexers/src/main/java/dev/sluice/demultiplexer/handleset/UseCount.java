package dev.sluice.demultiplexer.handleset;

import dev.sluice.failure.CloseSteps;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Counts the threads that use something which is disposed of once it is closed and the last of them has left.
 *
 * <p>The last thread may find no memory or stack for the disposal. Then the next opening or close of another instance
 * disposes of it: a close that finds threads inside lists the instance beforehand, so that the last thread only sets a
 * flag. That needs no call, for which there might be no stack, and no lock, which takes stack in the interpreter.
 */
public final class UseCount {

    private static final int CLOSED = 1 << 31;
    private static final int WAITER = 1 << 30;
    /** Added for each of several waiters; all other threads that are inside count less together. */
    private static final int ONE_OF_SEVERAL = 1 << 16;

    private static final Object LIST_LOCK = new Object();
    /** The first instance that was closed while threads were inside; written with the lock held. */
    private static volatile @Nullable UseCount firstListed;

    private final AtomicInteger state = new AtomicInteger();
    private final CloseSteps disposal;
    private final Runnable disposing;
    /** Whether another thread must dispose of this instance, because the last user could not. */
    private volatile boolean undisposed;
    // Guarded by the lock
    private boolean listed;
    private @Nullable UseCount nextListed;

    /**
     * Creates an instance without any users.
     *
     * @param dispose run by the closing thread or by the last thread to leave; once, unless there is no memory or stack
     *                for it, and then again by a later close of this instance, or by an opening or close of another one
     */
    public UseCount(Runnable dispose) {
        this.disposal = new CloseSteps(dispose);
        this.disposing = disposal::run;
        disposeOfOneListed();
    }

    /** {@return whether the caller is now inside and must leave; false after the close} */
    public boolean enter() {
        return enter(CLOSED, 1);
    }

    /**
     * Enters as a waiter. One atomic word holds the users and the waiters, because a wait checks both.
     *
     * @param exclusive whether there may be no other waiter; the same for all waiters
     * @return whether the caller is now inside and must leave by {@link #leaveAsWaiter}; false after the close, and if
     *         there is another waiter although there may be none
     */
    boolean enterAsWaiter(boolean exclusive) {
        return exclusive ? enter(CLOSED | WAITER, WAITER + 1) : enter(CLOSED, ONE_OF_SEVERAL + 1);
    }

    private boolean enter(int excluding, int entering) {
        int users;
        do {
            users = state.get();
            if ((users & excluding) != 0) {
                return false;
            }
        } while (!state.compareAndSet(users, users + entering));
        return true;
    }

    /**
     * Enters in order to end the waits of others, even after the close while threads are inside.
     *
     * @return whether the caller is now inside and must leave; false after the close if no thread is inside any more
     */
    public boolean enterWhileInUse() {
        int users;
        do {
            users = state.get();
            if (users == CLOSED) {
                return false;
            }
        } while (!state.compareAndSet(users, users + 1));
        return true;
    }

    /** {@return whether there is a waiter} */
    boolean hasWaiter() {
        return (state.get() & ~CLOSED) >= ONE_OF_SEVERAL;
    }

    /** Leaves. */
    public void leave() {
        leave(1);
    }

    /** Ends {@link #enterAsWaiter}. */
    void leaveAsWaiter(boolean exclusive) {
        leave(exclusive ? WAITER + 1 : ONE_OF_SEVERAL + 1);
    }

    private void leave(int leaving) {
        if (state.addAndGet(-leaving) == CLOSED) {
            try {
                disposeAsLastUser();
            } catch (UncheckedIOException | OutOfMemoryError | StackOverflowError e) {
                undisposed = true;
                throw e;
            }
        }
    }

    /**
     * Admits no more threads, and runs the disposal if no thread is inside. Closing again has no effect, unless the
     * disposal has failed for lack of memory.
     */
    public void close() {
        int users;
        do {
            users = state.get();
            if (users > 0) {
                list();
            }
        } while (users >= 0 && !state.compareAndSet(users, users | CLOSED));
        if ((users | CLOSED) == CLOSED) {
            try {
                disposal.run();
            } finally {
                unlistIfDisposed();
            }
        }
        disposeOfOneListed();
    }

    /** As {@link #close()}, for an owner whose constructor has failed: it will not close this again. */
    void discard() {
        list();
        state.set(CLOSED);
        try {
            disposeAsLastUser();
        } catch (UncheckedIOException | OutOfMemoryError | StackOverflowError e) {
            undisposed = true;
            throw e;
        }
    }

    /** Runs the disposal, and repeats it for a while if there is no memory for it. */
    private void disposeAsLastUser() {
        try {
            RepeatedCall.run(disposing);
        } finally {
            unlistIfDisposed();
        }
    }

    /** Called after the disposal, which is not repeated if it has failed for another reason than a shortage. */
    private void unlistIfDisposed() {
        if (disposal.areTaken()) {
            unlist();
        }
    }

    private void list() {
        synchronized (LIST_LOCK) {
            if (!listed) {
                listed = true;
                nextListed = firstListed;
                firstListed = this;
            }
        }
    }

    private void unlist() {
        synchronized (LIST_LOCK) {
            if (listed) {
                listed = false;
                if (firstListed == this) {
                    firstListed = nextListed;
                } else {
                    UseCount before = firstListed;
                    assert before != null;
                    while (before.nextListed != this) {
                        before = before.nextListed;
                        assert before != null;
                    }
                    before.nextListed = nextListed;
                }
                nextListed = null;
            }
        }
    }

    private static void disposeOfOneListed() {
        UseCount found = firstListed == null ? null : takeUndisposed();
        if (found != null) {
            try {
                found.disposeAsLastUser();
            } catch (UncheckedIOException | OutOfMemoryError | StackOverflowError e) {
                found.undisposed = true;
                throw e;
            }
        }
    }

    private static @Nullable UseCount takeUndisposed() {
        synchronized (LIST_LOCK) {
            UseCount each = firstListed;
            while (each != null && !each.undisposed) {
                each = each.nextListed;
            }
            if (each != null) {
                each.undisposed = false;
            }
            return each;
        }
    }
}
