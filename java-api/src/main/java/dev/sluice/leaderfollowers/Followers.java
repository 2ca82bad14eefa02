package dev.sluice.leaderfollowers;

import dev.sluice.deadline.Deadline;

/** The threads that wait to be promoted, and on what. Guarded by the lock of {@link Roles}. */
interface Followers {

    void add(PoolThread follower);

    /** Takes a follower out that will not wait any more; nothing happens if it is not in. */
    void remove(PoolThread follower);

    /**
     * Lets the calling thread, a follower, wait until it is woken or its time is over; or for no reason.
     *
     * @return false if it was interrupted
     */
    boolean await(PoolThread self, Deadline deadline);

    /** Gives a leadership that has no leader to a follower, or sees to it that one takes it. */
    void promote(Leadership vacant);

    /** Lets one follower look around. */
    void wake(PoolThread follower);
}
