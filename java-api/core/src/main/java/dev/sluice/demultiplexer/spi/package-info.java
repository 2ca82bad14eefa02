/**
 * The contracts of the papers' two event demultiplexers, between the loops and pools that call them and the mechanisms
 * that fulfil them. Not for programs: the package is exported to those modules alone.
 *
 * <p>{@link dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer} is a set of handles and the call that waits
 * until some of them are ready; {@link dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer} starts operations
 * and waits until some of them have completed. The mechanisms of the operating systems live in their own module and are
 * found by {@link java.util.ServiceLoader}; nothing here names one.
 *
 * <p>The synchronous contract in short, beside what {@link dev.sluice.demultiplexer} says of readiness:
 * <ul>
 * <li>Any thread may make, change, silence and remove a membership at any time, even while another thread waits; the
 *     change counts from the moment the method returns.
 * <li>Removing a membership takes effect at once, even in a batch already returned: its events read as none. So a
 *     handler that was removed while the batch was being dispatched is never called, and a new handle that got the same
 *     descriptor number never sees its predecessor's events.
 * <li>A handle is held open by its membership. Closing the handle removes the membership first.
 * <li>An iterative set has one waiter at a time. If it is level-triggered, it reports a ready handle again until that
 *     is no longer ready; an {@linkplain dev.sluice.demultiplexer.spi.Trigger#EDGE edge-triggered} one reports each
 *     change once, unless the handle is rearmed. A concurrent set has any number of waiters and gives each readiness to
 *     one of them; the handle is then quiet until it is rearmed.
 * </ul>
 *
 * <p>The asynchronous contract in short, beside what {@link dev.sluice.demultiplexer} says of completions and
 * cancellations, and {@link dev.sluice.demultiplexer.spi.Operation} of starts and buffers:
 * <ul>
 * <li>An operation is made once, started any number of times by any thread, and each time completes exactly once. A
 *     connection or file that a cancelled operation obtained anyway is closed.
 * <li>Completions of one operation come in order. Those of different operations come in the order in which the system
 *     delivers them.
 * <li>Running out of room, be it for starts, for completions or for provided buffers, makes operations wait; they never
 *     fail or get lost because of it, and never hold up others.
 * <li>One connection may keep only a share of the provided buffers, as {@link dev.sluice.demultiplexer} says.
 * </ul>
 */
package dev.sluice.demultiplexer.spi;
