/**
 * The two event demultiplexers of the papers. The synchronous one is a set of handles and the call that waits until
 * some of them are ready; the asynchronous one starts operations and waits until some of them have completed.
 *
 * <p>{@link dev.sluice.demultiplexer.SynchronousEventDemultiplexer} and
 * {@link dev.sluice.demultiplexer.AsynchronousEventDemultiplexer} are the contracts. The mechanisms of the operating
 * systems that fulfil them live in their own module and are found by {@link java.util.ServiceLoader} through
 * {@link dev.sluice.demultiplexer.Demultiplexers}; nothing here names one.
 *
 * <p>The synchronous contract in short:
 * <ul>
 * <li>A registration is made, changed, silenced and removed by any thread at any time, also while another thread waits;
 *     the change counts from the moment the method returns.
 * <li>Ready is what would not block, errors included: a handle whose connection failed is ready for everything it is
 *     registered for, and the next call on it tells what happened. Only {@code select} says nothing of a failure to
 *     whoever waits for {@code EXCEPTION} alone. There is no hang-up event, because data that arrived before the
 *     hang-up must be read first; the end of the stream follows the last byte.
 * <li>Removing a registration takes effect at once, even for a batch already returned: its events read as none. So a
 *     handler that was removed while the batch was being dispatched is never called, and a new handle that got the same
 *     descriptor number never sees its predecessor's events.
 * <li>A handle is held open by its registration. Closing the handle removes the registration first.
 * <li>An iterative set has one waiter at a time and reports a ready handle again until it is no longer ready. A
 *     concurrent set has any number of waiters and gives each readiness to one of them; the handle is then quiet until
 *     it is rearmed.
 * </ul>
 *
 * <p>The asynchronous contract in short:
 * <ul>
 * <li>An {@link dev.sluice.demultiplexer.Operation} is made once, started any number of times by any thread, and each
 *     time completes exactly once: as success, failure or cancelled. The two continuous types report any number of
 *     successes before their last completion.
 * <li>Starting fails by exception only if the arguments are wrong or the demultiplexer is shut down. Whatever the
 *     system has to say comes with the completion.
 * <li>From the start to the completion the buffers belong to the operation. They are reachable until then, whoever
 *     forgets them, and nothing touches them after.
 * <li>Cancelling an operation, closing its handle and shutting the demultiplexer down only ask: the operation still
 *     completes, and only then the descriptor is closed and the buffers are free. A cancellation may come too late;
 *     then the operation completes as if nothing had happened. A connection or file that a cancelled operation got all
 *     the same is closed.
 * <li>Completions of one operation come in order. Those of different operations come in the order the system has them.
 * <li>Running out of room, be it for starts, for completions or for provided buffers, makes operations wait, and never
 *     fail, get lost or keep others waiting.
 * <li>Of the provided buffers one connection may keep a share. Its continuous receive pauses when it keeps as many, and
 *     goes on when it has released some, so a peer that does not read holds up itself. The alternative, to copy what is
 *     kept beyond, would have the memory grow with what such a peer sends. When all buffers are kept nevertheless, by
 *     many connections, receives wait; a line in the log tells of it, once until there are enough again.
 * </ul>
 */
package dev.sluice.demultiplexer;
