package dev.sluice.eventloop.spi;

/**
 * The members of an event loop, and its orderly stop: all members are asked to finish, acceptors first, and the loop
 * stops when the last of them has been removed. Members that are added during the stop are asked as well. All methods
 * may be called from any thread; hooks are called without a lock.
 */
public final class LoopMembers {

    private final Runnable finishSoon;
    private final Runnable stopLoop;

    // Guarded by the lock of this object

    private final LoopMember open = new Head();
    /** Members that have been asked to finish, and have not been removed. */
    private final LoopMember finishing = new Head();
    private boolean begun;
    private boolean over;

    /**
     * Creates an empty list.
     *
     * @param finishSoon makes the loop call {@link #finishAll()}
     * @param stopLoop   makes the loop return after the current iteration
     */
    public LoopMembers(Runnable finishSoon, Runnable stopLoop) {
        this.finishSoon = finishSoon;
        this.stopLoop = stopLoop;
    }

    /** The head of a circular list. */
    private static final class Head extends LoopMember {

        Head() {
            super(null);
            previous = this;
            next = this;
        }

        @Override
        protected void finish() {
            throw new AssertionError("no member");
        }

        @Override
        protected void endNow() {
            throw new AssertionError("no member");
        }
    }

    /**
     * Adds a member. If the stop has begun, the loop soon asks it to finish.
     *
     * @param member the member, which is not in any list
     */
    public void add(LoopMember member) {
        synchronized (this) {
            link(member, member instanceof AcceptorMember ? open : open.previous);
            if (!begun) {
                return;
            }
        }
        boolean asked = false;
        try {
            finishSoon.run();
            asked = true;
        } finally {
            if (!asked) {
                remove(member);
            }
        }
    }

    /**
     * Removes a member that has ended. If the stop has begun, it is over when the last member has been removed.
     *
     * @param member the member; nothing happens if it is not in a list
     */
    public void remove(LoopMember member) {
        synchronized (this) {
            if (member.next != null) {
                unlink(member);
            }
        }
        stopIfEmpty();
    }

    private static void link(LoopMember member, LoopMember after) {
        member.previous = after;
        member.next = after.next;
        after.next.previous = member;
        after.next = member;
    }

    private static void unlink(LoopMember member) {
        member.previous.next = member.next;
        member.next.previous = member.previous;
        member.previous = null;
        member.next = null;
    }

    /** {@return whether the stop is over: all members have been removed or ended} */
    public synchronized boolean isOver() {
        return over;
    }

    /** Asks all members to finish that have not been asked yet. Called by a thread of the loop; does not allocate. */
    public void finishAll() {
        synchronized (this) {
            begun = true;
        }
        for (LoopMember member = takeOpen(); member != null; member = takeOpen()) {
            member.beginFinish();
        }
        stopIfEmpty();
    }

    private synchronized LoopMember takeOpen() {
        LoopMember member = open.next;
        if (member == open) {
            return null;
        }
        unlink(member);
        link(member, finishing.previous);
        return member;
    }

    /**
     * Called at the deadline by a thread of the loop. Ends all remaining members.
     *
     * @return the number of members ended that were not lingering
     */
    public int endAll() {
        finishAll();
        int count = 0;
        for (LoopMember member = takeFinishing(); member != null; member = takeFinishing()) {
            count += member.isLingering() ? 0 : 1;
            member.end();
        }
        // Even if members have been added since, for which there is no deadline: the close ends them.
        stop(true);
        return count;
    }

    /** Called by the thread that closes the loop. Ends all members without asking them to finish. */
    public void closeAll() {
        for (LoopMember member = takeAny(); member != null; member = takeAny()) {
            member.end();
        }
    }

    private synchronized LoopMember takeAny() {
        LoopMember member = open.next == open ? finishing.next : open.next;
        if (member == finishing) {
            return null;
        }
        unlink(member);
        return member;
    }

    private synchronized LoopMember takeFinishing() {
        LoopMember member = finishing.next;
        if (member == finishing) {
            return null;
        }
        unlink(member);
        return member;
    }

    private void stopIfEmpty() {
        stop(false);
    }

    private void stop(boolean evenIfNotEmpty) {
        synchronized (this) {
            boolean empty = open.next == open && finishing.next == finishing;
            if (!begun || over || !empty && !evenIfNotEmpty) {
                return;
            }
            over = true;
        }
        stopLoop.run();
    }
}
