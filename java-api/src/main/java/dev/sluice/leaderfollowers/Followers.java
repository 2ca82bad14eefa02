package dev.sluice.leaderfollowers;

import java.util.concurrent.locks.Condition;

/** The threads that wait to be promoted, and on what. Guarded by the lock of {@link Roles}. */
interface Followers {

    /** {@return what a thread is to wait on whenever it is a follower} */
    Condition newCondition();

    void add(PoolThread follower);

    /** Takes a follower out that will not wait any more; nothing happens if it is not in. */
    void remove(PoolThread follower);

    /** Gives a leadership that has no leader to a follower, or sees to it that one takes it. */
    void promote(Leadership vacant);

    /** Lets one follower look around. */
    void wake(PoolThread follower);
}
