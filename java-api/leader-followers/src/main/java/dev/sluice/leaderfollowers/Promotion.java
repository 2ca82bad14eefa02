package dev.sluice.leaderfollowers;

/** Decides whether the pool or the handler promotes a new leader when an event has been detected. */
public enum Promotion {
    /**
     * The pool does, before the event is dispatched: the paper's decorator (implementation activity 5.1). For handlers
     * that do not depend on the pool. The default of registrations: a hook that blocks keeps no other handle waiting.
     */
    BEFORE_DISPATCH,
    /**
     * The handler does, by calling {@link MultipleLeadersPool#promoteNewLeader()} at any time; if it does not, its
     * thread stays leader. Saves the hand-over where a hook takes less time than that, and saves a {@linkplain
     * dev.sluice.reactor.EventHandler#isConcurrent() concurrent} handle dispatches that find nothing. In a run of
     * {@code ./sluice compare} on an idle machine, throughput was half as high again where hooks took no time at all,
     * and no higher with hooks of 20 µs or more. It is not the default, since only a handler can know that it will not
     * take long: while it runs, no thread waits for events.
     */
    BY_HANDLER
}
