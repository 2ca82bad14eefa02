/**
 * The Reactor pattern: demultiplexes readiness, timers, signals and tasks, and dispatches them to event handlers, one
 * after the other in one thread, or for each handle one after the other in several.
 *
 * <p>{@link dev.sluice.reactor.Reactor} plays the paper's Reactor, {@link dev.sluice.reactor.EventHandler} its Event
 * Handler. The Bridge of implementation activity 3.1 runs between the reactor and its demultiplexer: there is one
 * reactor class, and as many demultiplexers as the system has.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>The loop thread owns everything.</b> What other threads ask for is queued, and done by the loop thread in the
 *     order it was asked for. So no handler needs a lock against the reactor, and the loop takes none. Until a thread
 *     runs the loop for the first time, callers make their changes themselves, and errors are thrown to them.
 * <li><b>One batch, shared by all nesting levels.</b> A handler may run the event loop itself. The inner call first
 *     dispatches what the outer one has not got to yet, and only then waits; a copy of the handle set, as the paper
 *     proposes, would make a one-shot or edge-triggered event that the outer level holds invisible to the inner one.
 * <li><b>The handle of a running hook is suspended.</b> If a hook ran the loop before it has read, a level-triggered
 *     set would have it called again, and again inside of that, without end; an edge-triggered or one-shot set would
 *     not.
 *     So that a handler means the same on all of them, an inner run leaves out the handles of all hooks around it, and
 *     what they are ready for is dispatched when those have returned. A handler whose hooks receive before they run the
 *     loop may {@linkplain dev.sluice.reactor.EventHandler#isReentrant() allow} an inner call, where one thread runs
 *     the loop: its hook can then wait for an event of its own handle.
 * <li><b>Threads that share a reactor share the handles, too.</b> On a concurrent set any thread gets any ready handle,
 *     so none is idle while there is something to do. There is no loop thread then to leave a change to, so each is
 *     made at once, under a lock of the handle's entry that is never held while a hook runs. The hooks of a handle are
 *     called by one thread at a time because the set is one-shot: it is silent about the handle until the thread that
 *     is busy with it rearms it. A thread takes one handle at a time: if it took more, they would wait for its earlier
 *     hooks while other threads may be idle.
 * <li><b>Ending is one thing, pausing another.</b> The paper's {@code remove_handler} takes events from a handler:
 *     while some are left it waits for those, and when the last one is gone the handler is removed and closed. A caller
 *     that only means to stop reading for a while thereby closes the connection. Here
 *     {@code Registration.close} takes no events and always ends the registration; what to wait for is set by
 *     {@code interest}, and {@code pause} pauses.
 * <li><b>Handlers need not know the trigger.</b> A hook that leaves something unread is called again, on an
 *     edge-triggered set too: the reactor rearms the handle after each dispatch. The advantage of such a set, that a
 *     handle is passed to the system once and never again, is for handlers that promise to drain theirs, with
 *     {@link dev.sluice.reactor.EventHandler#drains()}.
 * <li><b>{@code handleClose} is the one place to clean up.</b> It is called exactly once for each registration, however
 *     it ends: removed, handle closed, hook failed, or reactor closed.
 * </ul>
 */
@NullMarked
package dev.sluice.reactor;

import org.jspecify.annotations.NullMarked;
