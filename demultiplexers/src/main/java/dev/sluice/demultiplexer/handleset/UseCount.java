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
        return enter(CLOSED, 1);
    }

    /**
     * Enters as a waiter. One atomic word holds both facts, since a wait needs both.
     *
     * @param alone whether there may be no other waiter; the same for all waiters
     * @return whether the caller is now inside and must leave by {@link #leaveAsWaiter}; false after the close, and
     *         while there is another waiter although there may be none
     */
    boolean enterAsWaiter(boolean alone) {
        return alone ? enter(CLOSED | WAITER, WAITER + 1) : enter(CLOSED, ONE_OF_SEVERAL + 1);
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

    /** {@return whether there is a waiter} */
    boolean hasWaiter() {
        return (state.get() & ~CLOSED) >= ONE_OF_SEVERAL;
    }

    /** Leaves. */
    public void leave() {
        leave(1);
    }

    /** Ends {@link #enterAsWaiter}. */
    void leaveAsWaiter(boolean alone) {
        leave(alone ? WAITER + 1 : ONE_OF_SEVERAL + 1);
    }

    private void leave(int leaving) {
        if (state.addAndGet(-leaving) == CLOSED) {
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

    /**
     * Runs the disposal, and repeats it for a while if there is no memory for it, because only another close would do
     * it later.
     */
    private void disposeAsTheLast() {
        RepeatedCall.run(disposal::run);
    }
}
