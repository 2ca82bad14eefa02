package dev.sluice.leaderfollowers;

/** The role of waiting on one event source, and the thread that has it. Guarded by the lock of {@link Roles}. */
final class Leadership {

    final EventSource source;
    /** Used by the leader; unused with a source on which many threads wait at once. */
    final EventSource.Waiter waiter;
    /** Whether its leader waits until something happens, however long other sources have no leader. */
    boolean forGood;
    /** Whether its leader has been asked to look after other sources, too. */
    boolean shared;
    private PoolThread leader;

    Leadership(EventSource source) {
        this.source = source;
        this.waiter = source.newWaiter();
    }

    boolean isVacant() {
        return leader == null;
    }

    void giveTo(PoolThread thread) {
        leader = thread;
        thread.leads = this;
        thread.role = ThreadRole.LEADER;
    }

    void giveUp() {
        leader.leads = null;
        leader.role = ThreadRole.PROCESSING;
        leader = null;
    }
}
