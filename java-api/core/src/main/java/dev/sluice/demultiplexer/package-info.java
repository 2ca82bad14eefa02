/**
 * The view that programs have of the papers' two event demultiplexers: the available ones, the selection, and the
 * events that they report. The synchronous one is a set of handles and the call that waits until some of them are ready
 * for an event of their {@link dev.sluice.demultiplexer.Interest}; the asynchronous one starts operations and waits
 * until some of them have completed, each with a {@link dev.sluice.demultiplexer.Completion}. Reactors, proactors and
 * pools open them by name.
 *
 * <p>A handle is ready if a call on it would not block, errors included: a handle whose connection failed is ready for
 * all events it is registered for, and the next call on it reports the error. Only {@code select} does not report a
 * failure on a handle that is registered for {@code EXCEPTION} alone. There is no hang-up event, because data that
 * arrived before the hang-up must be read first; the end of the stream follows the last byte.
 *
 * <p>Each asynchronous operation completes exactly once: as success, failure or cancelled. The two continuous types
 * report any number of successes before their last completion. Cancelling an operation, closing its handle and closing
 * the loop are requests: the operation still completes, and until then its descriptor stays open and its buffers must
 * not be used. A cancellation may come too late; then the operation completes normally.
 *
 * <p>One connection may retain only a share of the {@linkplain dev.sluice.demultiplexer.ProvidedBuffer provided
 * buffers}. If buffers beyond the share were copied instead, a peer that sends but does not read could make memory grow
 * without bound. The share includes all buffers that have been filled for the connection, whether a hook has received
 * them or not. When many connections together retain most of the buffers, the share of each is reduced, but not below a
 * small minimum, for which additional buffers are allocated. So no connection waits for the buffers of another one
 * while native memory is available. When a receive pauses because all buffers are retained, this is logged once, and
 * again only after enough buffers have been available in between.
 */
@NullMarked
package dev.sluice.demultiplexer;

import org.jspecify.annotations.NullMarked;
