/**
 * What programs know of the papers' two event demultiplexers: which there are, which one is chosen, and what they
 * report. The synchronous one is a set of handles and the call that waits until some of them are ready, each for what
 * its {@link dev.sluice.demultiplexer.Interest} says; the asynchronous one starts operations and waits until some of
 * them have completed, each with a {@link dev.sluice.demultiplexer.Completion}. Reactors, proactors and pools open them
 * by name.
 *
 * <p>A handle is ready if a call on it would not block, errors included: a handle whose connection failed is ready for
 * everything it is registered for, and the next call on it reports what happened. Only {@code select} does not report a
 * failure on a handle that is registered for {@code EXCEPTION} alone. There is no hang-up event, because data that
 * arrived before the hang-up must be read first; the end of the stream follows the last byte.
 *
 * <p>Each asynchronous operation completes exactly once: as success, failure or cancelled. The two continuous types
 * report any number of successes before their last completion. Cancelling an operation, closing its handle and closing
 * the loop are only requests: the operation still completes, and only then is the descriptor closed and are the buffers
 * free. A cancellation may come too late; then the operation completes as if nothing had happened.
 *
 * <p>One connection may keep only a share of the {@linkplain dev.sluice.demultiplexer.ProvidedBuffer provided buffers}.
 * The alternative, copying what is kept beyond the share, would let memory grow with what a peer sends that does not
 * read. The share counts all buffers that have been received into for the connection, whether a hook has got them or
 * not. When many connections
 * together keep most of the buffers, the share of each shrinks, but not below a small number that each may keep in any
 * case: for these there are more buffers than there are otherwise. So no connection waits for another one that keeps
 * its share, until there is no native memory for more. That a receive waits because all are kept is logged once, and
 * not again until there have been enough again.
 */
@NullMarked
package dev.sluice.demultiplexer;

import org.jspecify.annotations.NullMarked;
