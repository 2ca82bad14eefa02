package dev.sluice.leaderfollowers;

/** Who promotes a new leader when an event has been detected. */
public enum Promotion {
    /**
     * The pool does, before the event is dispatched: the paper's decorator (implementation activity 5.1). For handlers
     * that know nothing of the pool. The default of registrations: a hook that blocks keeps no other handle waiting,
     * and in the default order {@code ./sluice compare} has not found throughput with {@link #BY_HANDLER} higher by
     * more than its repetitions differ, though fewer context switches where hooks take next to no time.
     */
    BEFORE_DISPATCH,
    /**
     * The handler does, by calling {@link MultipleLeadersPool#promoteNewLeader()} at any time; if it does not, its
     * thread goes on as leader. Saves the hand-over where a hook takes less time than that, and spares a
     * {@linkplain dev.sluice.reactor.EventHandler#isConcurrent() concurrent} handle dispatches that find nothing.
     */
    BY_HANDLER
}
