package dev.sluice.demultiplexer.handleset;

import dev.sluice.failure.CloseSteps;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the threads inside something that is to be disposed of once it is closed and the last of them has left. */
public final class UseCount {

    private static final int CLOSED = 1 << 31;
    private static final int WAITER = 1 << 30;
    /** Added for each of several waiters; all others who are inside count less together. */
    private static final int ONE_OF_SEVERAL = 1 << 16;

    private final AtomicInteger state = new AtomicInteger();
    private final CloseSteps disposal;

    /**
     * Begins with no thread inside.
     *
     * @param dispose run by the closer or by the last thread to leave; once, unless there is no memory for it, and then
     *                again by later closes
     */
    public UseCount(Runnable dispose) {
        this.disposal = new CloseSteps(dispose);
    }

    /** {@return whether the caller is now inside and must leave; false after the close} */
    public boolean enter() {
        int users;
        do {
            users = state.get();
            if (users < 0) {
                return false;
            }
        } while (!state.compareAndSet(users, users + 1));
        return true;
    }

    /**
     * Enters to end the waits of others, which is possible after the close, too.
     *
     * @return whether the caller is now inside and must leave; false after the close if no thread is inside any more
     */
    public boolean enterAmongTheLast() {
        int users;
        do {
            users = state.get();
            if (users == CLOSED) {
                return false;
            }
        } while (!state.compareAndSet(users, users + 1));
        return true;
    }

    /**
     * Enters, as the only waiter. One atomic word holds both facts, since a wait needs both.
     *
     * @return whether the caller is now inside and must leave by {@link #leaveAsWaiter}; false after the close, and
     *         while there is a waiter
     */
    boolean enterAsWaiter() {
        int users;
        do {
            users = state.get();
            if (users < 0 || (users & WAITER) != 0) {
                return false;
            }
        } while (!state.compareAndSet(users, users + 1 | WAITER));
        return true;
    }

    /** Ends {@link #enterAsWaiter}. */
    void leaveAsWaiter() {
        if (state.addAndGet(-WAITER - 1) == CLOSED) {
            disposeAsTheLast();
        }
    }

    /**
     * Enters, as one of any number of waiters.
     *
     * @return whether the caller is now inside and must leave by {@link #leaveAmongWaiters}; false after the close
     */
    boolean enterAmongWaiters() {
        int users;
        do {
            users = state.get();
            if (users < 0) {
                return false;
            }
        } while (!state.compareAndSet(users, users + 1 + ONE_OF_SEVERAL));
        return true;
    }

    /** Ends {@link #enterAmongWaiters}. */
    void leaveAmongWaiters() {
        if (state.addAndGet(-ONE_OF_SEVERAL - 1) == CLOSED) {
            disposeAsTheLast();
        }
    }

    /** {@return whether there is a waiter} */
    boolean hasWaiter() {
        return (state.get() & ~CLOSED) >= ONE_OF_SEVERAL;
    }

    /** Leaves. */
    public void leave() {
        if (state.decrementAndGet() == CLOSED) {
            disposeAsTheLast();
        }
    }

    /** Lets no thread in any more. Closing again does nothing, unless the disposal has failed for lack of memory. */
    public void close() {
        int users;
        do {
            users = state.get();
        } while (users >= 0 && !state.compareAndSet(users, users | CLOSED));
        if ((users | CLOSED) == CLOSED) {
            disposal.run();
        }
    }

    /** Nobody but another close would do it later, so while there is no memory for it, it is tried for a while. */
    private void disposeAsTheLast() {
        RepeatedCall.run(disposal::run);
    }
}
