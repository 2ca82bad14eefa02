package dev.sluice.leaderfollowers;

import org.jspecify.annotations.Nullable;

/** The role of waiting on one event source, and its current leader. Guarded by the lock of {@link Roles}. */
final class Leadership {

    final EventSource source;
    /** Used by the leader; unused with a source on which many threads wait at once. */
    final EventSource.Waiter waiter;
    /** Whether its leader waits without a time limit, because every source has a leader. */
    boolean unlimited;
    /** Whether its leader has been asked to rotate to sources without a leader. */
    boolean shared;
    private @Nullable PoolThread leader;

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

    void release() {
        assert leader != null;
        leader.leads = null;
        leader.role = ThreadRole.PROCESSING;
        leader = null;
    }
}
