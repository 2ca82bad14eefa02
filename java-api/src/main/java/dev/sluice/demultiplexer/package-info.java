/**
 * The synchronous event demultiplexer: a set of handles and the call that waits until some of them are ready.
 *
 * <p>{@link dev.sluice.demultiplexer.SynchronousEventDemultiplexer} is the contract. The mechanisms of the operating
 * systems that fulfil it live in their own module and are found by {@link java.util.ServiceLoader} through
 * {@link dev.sluice.demultiplexer.Demultiplexers}; nothing here names one.
 *
 * <p>The contract in short:
 * <ul>
 * <li>A registration is made, changed, silenced and removed by any thread at any time, also while another thread waits;
 *     the change counts from the moment the method returns.
 * <li>Ready is what would not block, errors included: a handle whose connection failed is ready for everything it is
 *     registered for, and the next call on it tells what happened. There is no hang-up event, because data that arrived
 *     before the hang-up must be read first; the end of the stream follows the last byte.
 * <li>Removing a registration takes effect at once, even for a batch already returned: its events read as none. So a
 *     handler that was removed while the batch was being dispatched is never called, and a new handle that got the same
 *     descriptor number never sees its predecessor's events.
 * <li>A handle is held open by its registration. Closing the handle removes the registration first.
 * <li>An iterative set has one waiter at a time and reports a ready handle again until it is no longer ready. A
 *     concurrent set has any number of waiters and gives each readiness to one of them; the handle is then quiet until
 *     it is rearmed.
 * </ul>
 */
package dev.sluice.demultiplexer;
