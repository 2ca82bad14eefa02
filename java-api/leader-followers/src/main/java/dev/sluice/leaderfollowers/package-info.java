/**
 * The Leader/Followers pattern: threads take turns waiting for events and dispatching them, so that an event is read
 * and processed by one thread, without a queue or a context switch in between.
 *
 * <p>{@link dev.sluice.leaderfollowers.LeaderFollowersPool} plays the paper's LF_Thread_Pool. Its handle set and the
 * table of handlers, which the paper leaves to a Reactor, are a {@link dev.sluice.leaderfollowers.HandleSetSource}; the
 * handlers are those of {@link dev.sluice.reactor.Reactor}, unchanged. {@link
 * dev.sluice.leaderfollowers.MultipleLeadersPool} is the pool for more than one source, and for sources other than
 * handle sets (10.2, 10.5). For one pool for each handle set, make several pools. {@link
 * dev.sluice.leaderfollowers.BoundLeaderFollowersPool} lets threads of a pool, of either kind, wait for responses that
 * come over one connection, each for its own (10.1).
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>A leadership is handed over, not released.</b> The promoter chooses the follower under the lock and gives it
 *     the leadership there, so the promotion order is kept exactly, and a thread that comes back cannot overtake. A
 *     follower that leaves at that moment hands the leadership on. Only {@link
 *     dev.sluice.leaderfollowers.PromotionOrder#IMPLEMENTATION_DEFINED} lets threads race for it, as the paper's pool
 *     does. That is the default: handing over costs a context switch for each event, the race mostly none.
 * <li><b>The events found by a wait belong to the source, not to the thread.</b> The leader takes one event; the rest
 *     is left to the next leaders, which dispatch it before any of them waits.
 * <li><b>One thread at a time calls the hooks of a handle, even across registrations.</b> The hooks of a handle, its
 *     {@code handleClose}, and those of the next registration of the same handle are called one at a time. So handlers
 *     need no locks for their own state. A handler whose handle is a concurrent one, such as a datagram socket, may say
 *     so ({@link dev.sluice.reactor.EventHandler#isConcurrent()}); then the handle is not suspended, and only the end
 *     of the registration is dispatched by one thread alone.
 * <li><b>Waits of hooks nest up to a limit.</b> A thread whose hook waits for a response dispatches other events in the
 *     meantime, or peers that call each other back would wait for each other. At the limit the thread still leads,
 *     because some thread must receive the responses, but it dispatches only those, and defers other events to a thread
 *     that is free.
 * <li><b>Leaders rotate if there are fewer threads than sources.</b> Events of a source without a leader would go
 *     undetected until a leader of another source wakes up. So a thread that leaves a source without a leader wakes the
 *     leaders of the other sources. Until each source has a leader again, their waits are short, and each leader goes
 *     on to the next source without a leader.
 * <li><b>The leader keeps the time.</b> Timers and signals belong to a handle set: its leader waits no longer than
 *     until the next expiry, and where many threads wait, one of them does. Expired timers are dispatched between the
 *     handles of one wait and the next wait, so that neither delays the other.
 * <li><b>Tasks are events.</b> A thread that has found one promotes a new leader and runs it, so several run at the
 *     same time: kept in order, as a Reactor keeps them, one that blocks would hold up all the others.
 * <li><b>On a concurrent set no thread leads</b> (implementation activity 1.3): each wait returns at most one
 *     event, since no other thread could take a second one.
 * </ul>
 */
@NullMarked
package dev.sluice.leaderfollowers;

import org.jspecify.annotations.NullMarked;
