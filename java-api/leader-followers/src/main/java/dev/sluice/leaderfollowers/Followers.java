package dev.sluice.leaderfollowers;

import dev.sluice.deadline.Deadline;

/** The threads that wait to be promoted, and what they wait on. Guarded by the lock of {@link Roles}. */
interface Followers {

    void add(PoolThread follower);

    /** Removes a follower that will no longer wait; does nothing if it is not among them. */
    void remove(PoolThread follower);

    /**
     * Makes the calling thread, a follower, wait until it is woken or its time is over; it may return for no reason.
     *
     * @return false if it was interrupted
     */
    boolean await(PoolThread self, Deadline deadline);

    /**
     * Gives a vacant leadership to a follower, or sees to it that one takes it.
     *
     * @return false if there is no follower
     */
    boolean promote(Leadership vacant);

    /** Wakes one follower, to look whether it has something to do. */
    void wake(PoolThread follower);
}
