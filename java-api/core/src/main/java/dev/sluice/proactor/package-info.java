/**
 * The Proactor pattern: initiators start asynchronous operations, and completion handlers receive their results,
 * sequentially in one thread, or in several threads, where the completions of each handle are dispatched sequentially.
 *
 * <p>{@link dev.sluice.proactor.Proactor} is the paper's Proactor. {@link dev.sluice.proactor.StreamHandler} is its
 * Completion Handler with the multi-method dispatch interface, {@link dev.sluice.proactor.CompletionHandler} the one
 * with the single-method interface, and initiators start operations with {@link dev.sluice.proactor.AsyncStream} and
 * similar classes. The Asynchronous Operation Processor and the demultiplexer are a mechanism that
 * {@link dev.sluice.demultiplexer.Mechanism} selects by name, and its {@link dev.sluice.demultiplexer.Completion} is
 * the Async_Result.
 *
 * <p>Design decisions:
 * <ul>
 * <li><b>The handler is passed once, and a token with each operation.</b> One handler may be used for many handles and
 * operations (the paper's Shared Completion Handlers); the token, the initiator's own Asynchronous Completion Token,
 * distinguishes them. Some operations of a handle may have another handler, see
 * {@link dev.sluice.proactor.AsyncStream#withHandler}.
 * <li><b>A completion is valid inside the hook.</b> The demultiplexer sets it, and reuses it after the hook has
 * returned, so there is no copying and no allocation per message.
 * <li><b>Starting an operation returns a ticket</b>, a number by which that operation can be cancelled. A ticket may be
 * used after the end of its operation, unlike a reference to a reused object.
 * <li><b>All operations complete</b>, as success, failure or cancelled, even if the handle or the proactor is closed.
 * So a handler that counts its operations knows when all have completed, and can free its buffers.
 * <li><b>There are futures for programs that prefer them.</b> Each type of operation has a method that returns a
 * {@link java.util.concurrent.CompletableFuture}, completed by the dispatching thread. It allocates. Cancelling it
 * cancels the operation, and it completes only when the operation does: if it completed immediately, bytes that the
 * operation still receives would be lost from the stream.
 * <li><b>Threads that share a proactor share its handles.</b> If the demultiplexer is multi-threaded, any thread gets
 * any completion, so no thread is idle while there are completions (the paper's Concurrent Asynchronous Event
 * Demultiplexer). Hooks of one handle are still called sequentially, because the demultiplexer delivers the handle's
 * completions to one thread at a time; with a lock around the hooks, threads would wait instead of serving other
 * handles.
 * <li><b>A hook that runs the loop is not called again for its handle.</b> Completions of its own handle are deferred
 * until it has returned, on all mechanisms: a multi-threaded demultiplexer could not deliver them to this thread,
 * because any thread's wait may collect them. A {@link dev.sluice.reactor.Reactor} does the same. If one thread runs
 * the loop, a handler may allow it.
 * <li><b>Each of several threads takes one completion at a time.</b> Further ones would wait for its earlier hooks
 * while other threads may be idle. A single loop thread takes many, because no other thread could take them.
 * </ul>
 */
@NullMarked
package dev.sluice.proactor;

import org.jspecify.annotations.NullMarked;
