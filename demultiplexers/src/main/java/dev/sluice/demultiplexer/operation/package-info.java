/**
 * What the asynchronous demultiplexers share: the papers' Asynchronous Operation Processor without the part that
 * executes operations.
 *
 * <p>{@link dev.sluice.demultiplexer.operation.OperationProcessor} has an inside, where only one thread is at a time;
 * that thread owns everything else in this package. Other threads leave
 * {@link dev.sluice.demultiplexer.operation.Command}s: to start or cancel an operation, or to give a buffer back. Each
 * object that can be the subject of a command carries its own command object, so leaving one allocates nothing. There
 * are two ways to be inside:
 * <ul>
 * <li>A {@link dev.sluice.demultiplexer.operation.SingleThreadedProcessor} belongs to one loop thread, which also waits
 *     inside, at no cost. It suits a mechanism that one thread waits on.
 * <li>A {@link dev.sluice.demultiplexer.operation.MultiThreadedProcessor} is for a mechanism that many threads wait on.
 *     They wait outside and enter for the microseconds that it takes to complete operations and begin the next ones. A
 *     thread that starts something also enters if no thread is inside, and otherwise leaves its command to the thread
 *     that is: a leaving thread checks again for commands, so none is left behind.
 * </ul>
 *
 * <p>An operation goes through these stages: it is started (perhaps as a command); accepted inside, which gives it a
 * place among those {@link dev.sluice.demultiplexer.operation.InFlight}; waits for its turn if another one of its
 * direction is under way on the same handle; is begun; is executed by the subclass in one or more attempts; is
 * completed into the {@link dev.sluice.demultiplexer.operation.CompletionQueue}; and is collected.
 * {@link dev.sluice.demultiplexer.operation.Cancellation} and {@link dev.sluice.demultiplexer.operation.Ending} lead to
 * the completion sooner. What differs between types is in
 * the {@link dev.sluice.demultiplexer.operation.Arguments} of that kind, and in an
 * {@link dev.sluice.demultiplexer.operation.Execution} of each mechanism: nothing looks at the type itself, except for
 * the table of kinds of each. An operation keeps those that it has been used with.
 *
 * <p>Where several threads collect, a batch that gets completions of a handle
 * ({@link dev.sluice.demultiplexer.operation.CollectedCompletions}) holds the handle until it is waited with again or
 * closed. Further completions of that handle wait in a {@link dev.sluice.demultiplexer.operation.CompletionLine} of its
 * own, and no thread is woken up for them: usually the holder itself gets them, with its next wait. Where one thread
 * collects, a batch holds only the handles whose hooks run the loop.
 *
 * <p>On the way of an echoed message through a {@link dev.sluice.demultiplexer.operation.SingleThreadedProcessor} these
 * steps are atomic. Each costs some nanoseconds while no other thread takes part, of the microseconds that a message
 * costs in the kernel:
 * <ul>
 * <li>the claim of an operation, since any thread may start it;
 * <li>entering between two waits, once for a start and once for the release of a buffer, since another thread may close
 *     a processor that has nothing in flight. A loop that stayed inside for a whole run would need neither, but then no
 *     thread could close before it has left;
 * <li>retaining a provided buffer, and releasing it: of two threads that release it, one must fail;
 * <li>once for each wait, entering, and the fence behind the note that the thread waits, without which a command could
 *     be left and not be seen.
 * </ul>
 * The counters of what is in flight and the end of an operation are ordered writes without a fence.
 *
 * <p>Whatever is thrown in the middle of a turn, by a broken binding, for lack of memory, or because a program has
 * touched a buffer that belonged to an operation, affects one operation, which completes with {@code EIO}. The
 * exception is kept in {@link dev.sluice.failure.Failures} until a wait throws it, because the thread inside may be
 * acting for others, which would otherwise wait forever for what it was about to do.
 */
package dev.sluice.demultiplexer.operation;
