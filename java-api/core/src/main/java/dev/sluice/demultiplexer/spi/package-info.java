/**
 * The contracts of the papers' two event demultiplexers, between the loops and pools that call them and the mechanisms
 * that implement them. Not exported to programs.
 *
 * <p>{@link dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer} is a set of handles and the call that waits
 * until some of them are ready; {@link dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer} starts operations
 * and waits until some of them have completed. The mechanisms of the operating systems are in a separate module and are
 * found by {@link java.util.ServiceLoader}; this package does not depend on any of them.
 *
 * <p>Summary of the synchronous contract, in addition to the definition of readiness in
 * {@link dev.sluice.demultiplexer}:
 * <ul>
 * <li>Any thread may create, change, deactivate and remove a membership at any time, even while another thread waits;
 * the change is effective when the method returns.
 * <li>Removing a membership takes effect immediately, even in a batch already returned, where its events become none.
 * So a handler that was removed while the batch was being dispatched is never called, and a new handle with the same
 * descriptor number never gets events of the previous one.
 * <li>A handle is held open by its membership. Closing the handle removes the membership first.
 * <li>One thread at a time may wait on an iterative set. If it is level-triggered, it reports a ready handle again
 * until that is no longer ready; an {@linkplain dev.sluice.demultiplexer.spi.Trigger#EDGE edge-triggered} one reports
 * each change once, unless the handle is rearmed. Any number of threads may wait on a concurrent set, which reports
 * each readiness to one of them; the handle is then not reported until it is rearmed.
 * </ul>
 *
 * <p>Summary of the asynchronous contract, in addition to the rules for completions and cancellations in
 * {@link dev.sluice.demultiplexer}, and those for starts and buffers in {@link dev.sluice.demultiplexer.spi.Operation}:
 * <ul>
 * <li>An operation is started any number of times, by any thread, and completes exactly once each time. A connection or
 * file that a cancelled operation obtained nevertheless is closed.
 * <li>Completions of one operation are in order. Those of different operations are in the order in which the system
 * delivers them.
 * <li>A lack of space for starts, for completions or for provided buffers makes operations wait; they never fail or get
 * lost because of it, and never delay others.
 * <li>One connection may retain only a share of the provided buffers; see {@link dev.sluice.demultiplexer}.
 * </ul>
 */
package dev.sluice.demultiplexer.spi;
