package dev.sluice.eventloop.spi;

/**
 * What an event loop owns, and the orderly stop: all members are asked to finish, acceptors first, and the loop stops
 * when the last of them has left. Members that join in the meantime are asked as well. May be used by any thread;
 * hooks are called without a lock.
 */
public final class LoopMembers {

    private final Runnable finishSoon;
    private final Runnable stopLoop;

    // Guarded by the lock of this object

    private final LoopMember open = new Head();
    /** Those that have been asked to finish, and have not left. */
    private final LoopMember finishing = new Head();
    private boolean begun;
    private boolean over;

    /**
     * Creates an empty list.
     *
     * @param finishSoon has the loop call {@link #finishAll()}
     * @param stopLoop   makes the loop return after the iteration
     */
    public LoopMembers(Runnable finishSoon, Runnable stopLoop) {
        this.finishSoon = finishSoon;
        this.stopLoop = stopLoop;
    }

    /** The beginning of a list, which is a ring. */
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
     * @param member in no list
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
     * Removes a member that has ended. The last one ends the stop, if that has begun.
     *
     * @param member nothing happens if it is in no list
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

    /** {@return whether all members have left after the stop had begun, or been ended} */
    public synchronized boolean isOver() {
        return over;
    }

    /** Asks all to finish that have not been asked yet. Called by a thread of the loop; needs no memory. */
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
     * The deadline has passed: ends all that are left. Called by a thread of the loop.
     *
     * @return how many of these had more to do than wait for the peer's end
     */
    public int endAll() {
        finishAll();
        int count = 0;
        for (LoopMember member = takeFinishing(); member != null; member = takeFinishing()) {
            count += member.isLingering() ? 0 : 1;
            member.end();
        }
        // Also if others have joined meanwhile, which no deadline would end: the close does.
        stop(true);
        return count;
    }

    /** The loop is being closed: ends all without asking them to finish. Called by the thread that closes it. */
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
