/**
 * The Proactor pattern: initiators start asynchronous operations, and completion handlers get their results, one after
 * the other in one thread, or for each handle one after the other in several.
 *
 * <p>{@link dev.sluice.proactor.Proactor} plays the paper's Proactor. {@link dev.sluice.proactor.StreamHandler} is its
 * Completion Handler with the multi-method dispatch interface, {@link dev.sluice.proactor.CompletionHandler} the one
 * with the single-method interface, and initiators start operations with {@link dev.sluice.proactor.AsyncStream} and
 * its siblings. The Asynchronous Operation Processor and the demultiplexer
 * are what {@link dev.sluice.demultiplexer.Mechanism} chooses by name, and its
 * {@link dev.sluice.demultiplexer.Completion} is the Async_Result.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>The handler is given once, and a token with each operation.</b> One handler may serve many handles and
 *     operations (the paper's Shared Completion Handlers); the token, the initiator's own Asynchronous Completion
 *     Token, tells them apart. Some operations of a handle may have
 *     a handler of their own, see {@link dev.sluice.proactor.AsyncStream#withHandler}.
 * <li><b>A completion is valid inside the hook.</b> The demultiplexer fills it, and reuses it when the hook is done, so
 *     nothing is copied, and nothing is allocated per message.
 * <li><b>Starting returns a ticket</b>, a number by which that one operation can be cancelled. A ticket outlives its
 *     operation harmlessly, which a reference to a reused object would not.
 * <li><b>Every operation completes.</b> As success, failure or cancelled, even when the handle or the proactor is
 *     closed. So a handler that counts what it has started knows when it is done, and can free its buffers.
 * <li><b>Futures for programs that prefer them.</b> Each operation has a form that returns a
 *     {@link java.util.concurrent.CompletableFuture}, completed by the thread that dispatches. It allocates. Cancelling
 *     it cancels the operation, and it completes only when the operation does: if it completed at once, it would hide
 *     what the operation still receives, and a stream that has lost bytes is broken.
 * <li><b>Threads that share a proactor share the handles, too.</b> Where the demultiplexer is multi-threaded, any
 *     thread gets any completion, so none is idle while there is something to do (the paper's Concurrent Asynchronous
 *     Event Demultiplexer). Hooks of one handle are still called one after the other, because the demultiplexer keeps
 *     the handle's completions together; a lock around the hooks would make threads wait instead of serving other
 *     handles.
 * <li><b>A hook that runs the loop is not entered again.</b> Completions of its own handle wait until it has returned,
 *     whatever the mechanism: a multi-threaded demultiplexer could not let it have them, as any thread's wait may bring
 *     them. And it is what a {@link dev.sluice.reactor.Reactor} does, too. Where one thread runs the loop, a handler
 *     may allow it.
 * <li><b>Such a thread takes one completion at a time.</b> If it took more, they would wait for its earlier hooks while
 *     other threads may be idle. A single loop thread takes many, since no other thread could take them.
 * </ul>
 */
@NullMarked
package dev.sluice.proactor;

import org.jspecify.annotations.NullMarked;
