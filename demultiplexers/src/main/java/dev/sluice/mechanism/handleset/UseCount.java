package dev.sluice.mechanism.handleset;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts the threads inside something that is to be disposed of once it is closed and the last of them has left. */
public final class UseCount {

    private static final int CLOSED = 1 << 31;
    private static final int WAITER = 1 << 30;
    /** Added for each of several waiters; all others who are inside count less together. */
    private static final int ONE_OF_SEVERAL = 1 << 16;

    private final AtomicInteger state = new AtomicInteger();
    private final Runnable dispose;

    /**
     * Begins with no thread inside.
     *
     * @param dispose run once, by the closer or by the last thread to leave
     */
    public UseCount(Runnable dispose) {
        this.dispose = dispose;
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
            dispose.run();
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
            dispose.run();
        }
    }

    /** {@return whether there is a waiter} */
    boolean hasWaiter() {
        return (state.get() & ~CLOSED) >= ONE_OF_SEVERAL;
    }

    /** Leaves. */
    public void leave() {
        if (state.decrementAndGet() == CLOSED) {
            dispose.run();
        }
    }

    /** Lets no thread in any more. Must be called only once. */
    public void close() {
        if (state.getAndAccumulate(CLOSED, (users, closed) -> users | closed) == 0) {
            dispose.run();
        }
    }
}
