package dev.sluice.demultiplexer.handleset;

import dev.sluice.failure.CloseSteps;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the threads inside something that is to be disposed of once it is closed and the last of them has left. */
public final class UseCount {

    private static final int CLOSED = 1 << 31;
    private static final int WAITER = 1 << 30;
    /** Added for each of several waiters; all others who are inside count less together. */
    private static final int ONE_OF_SEVERAL = 1 << 16;

    private static final Object LEFT_OVER_LOCK = new Object();
    /** The first of those whose last user could not dispose of them; written with the lock held. */
    private static volatile UseCount leftOver;

    private final AtomicInteger state = new AtomicInteger();
    private final CloseSteps disposal;
    private final Runnable disposing;
    /** The next one that is left over. */
    private UseCount next;

    /**
     * Begins with no thread inside.
     *
     * @param dispose run by the closer or by the last thread to leave; once, unless there is no memory or stack for it,
     *                and then again by later closes, of this or of others
     */
    public UseCount(Runnable dispose) {
        this.disposal = new CloseSteps(dispose);
        this.disposing = disposal::run;
        disposeOfOneLeftOver();
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
        disposeOfOneLeftOver();
    }

    /** As {@link #close()}, for an owner that has not come into being: it will not close this again. */
    void discard() {
        state.set(CLOSED);
        disposeAsTheLast();
    }

    /**
     * Runs the disposal, and repeats it for a while if there is no memory for it. The owner may not close this again,
     * so if the shortage lasts, the next opening or close of another one does it.
     */
    private void disposeAsTheLast() {
        try {
            RepeatedCall.run(disposing);
        } catch (UncheckedIOException | OutOfMemoryError | StackOverflowError e) {
            // No call follows, for which there might be no stack either.
            synchronized (LEFT_OVER_LOCK) {
                next = leftOver;
                leftOver = this;
            }
            throw e;
        }
    }

    private static void disposeOfOneLeftOver() {
        if (leftOver == null) {
            return;
        }
        UseCount first;
        synchronized (LEFT_OVER_LOCK) {
            first = leftOver;
            if (first == null) {
                return;
            }
            leftOver = first.next;
            first.next = null;
        }
        first.disposeAsTheLast();
    }
}
