/**
 * The Reactor pattern: demultiplexes readiness, timers, signals and tasks, and dispatches them to event handlers,
 * sequentially in one thread, or in several threads, where the events of each handle are dispatched sequentially.
 *
 * <p>{@link dev.sluice.reactor.Reactor} is the paper's Reactor, {@link dev.sluice.reactor.EventHandler} its Event
 * Handler. The reactor and its demultiplexer form the Bridge of implementation activity 3.1: there is one reactor
 * class, and one demultiplexer for each mechanism of the operating system.
 *
 * <p>Design decisions:
 * <ul>
 * <li><b>The loop thread owns the state.</b> Changes that other threads request are queued, and made by the loop thread
 * in order. So no handler needs a lock against the reactor, and the loop takes none. Until a thread runs the loop for
 * the first time, callers make their changes themselves, and failures are thrown to them.
 * <li><b>All nesting levels share one batch.</b> A handler may run the event loop itself. The inner call first
 * dispatches the events that the outer one has not dispatched yet, and only then waits. With a copy of the handle set,
 * as the paper proposes, a one-shot or edge-triggered event in the outer batch would not be dispatched by the inner
 * call.
 * <li><b>The handle of a running hook is suspended.</b> If a hook runs the loop before it has received, a
 * level-triggered set would report its handle again, and the hook would be called recursively without end; an
 * edge-triggered or one-shot set would not report it. So that a handler behaves the same on all of them, an inner run
 * does not dispatch events of the handles of all enclosing hooks; they are dispatched after those have returned. A
 * handler whose hooks receive before they run the loop may {@linkplain dev.sluice.reactor.EventHandler#isReentrant()
 * allow} inner calls if the loop is single-threaded: its hook can then wait for an event of its own handle.
 * <li><b>Threads that share a reactor share its handles.</b> On a concurrent set any thread gets any ready handle, so
 * no thread is idle while there are events. There is no loop thread that could make changes, so each is made
 * immediately, under a lock of the handle's entry that is never held while a hook runs. The hooks of a handle are
 * called by one thread at a time because the set is one-shot: it does not report the handle until the thread that calls
 * its hooks rearms it. A thread takes one handle at a time: further ones would wait for its earlier hooks while other
 * threads may be idle.
 * <li><b>Closing and pausing are separate.</b> The paper's {@code remove_handler} removes events from a handler: while
 * some remain it waits for those, and after the last one the handler is removed and closed. So a caller that intends to
 * stop reading temporarily may close the connection. Here {@code Registration.close} always ends the registration;
 * {@code interest} sets the events to wait for, and {@code pause} pauses.
 * <li><b>Handlers do not depend on the trigger.</b> A hook that leaves bytes unread is called again, even on an
 * edge-triggered set, because the reactor rearms the handle after each dispatch. The advantage of such a set, which is
 * that a handle is passed to the system only once, is available to handlers that declare that they
 * {@linkplain dev.sluice.reactor.EventHandler#drains() drain} their handles.
 * <li><b>{@code handleClose} is the one place to clean up.</b> It is called exactly once for each registration, however
 * that ends: closed, handle closed, hook failed, or reactor closed.
 * </ul>
 */
@NullMarked
package dev.sluice.reactor;

import org.jspecify.annotations.NullMarked;
