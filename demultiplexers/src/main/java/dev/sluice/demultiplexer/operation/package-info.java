/**
 * The common part of the asynchronous demultiplexers: the papers' Asynchronous Operation Processor without the part
 * that executes operations.
 *
 * <p>{@link dev.sluice.demultiplexer.operation.OperationProcessor} has an inside, where only one thread is at a time;
 * that thread owns everything else in this package. Other threads queue
 * {@link dev.sluice.demultiplexer.operation.Command}s: to start or cancel an operation, or to release a buffer. Each
 * object that can be the subject of a command has its own command object, so queueing one allocates nothing. There are
 * two ways to be inside:
 * <ul>
 * <li>A {@link dev.sluice.demultiplexer.operation.SingleThreadedProcessor} belongs to one loop thread, which also waits
 *     inside, without further cost. It suits a mechanism that one thread waits on.
 * <li>A {@link dev.sluice.demultiplexer.operation.MultiThreadedProcessor} is for a mechanism that many threads wait on.
 *     They wait outside and enter for the microseconds that it takes to complete operations and begin the next ones. A
 *     thread that starts an operation also enters if no thread is inside, and otherwise queues its command for the
 *     thread that is. A leaving thread checks again for commands, so none is missed.
 * </ul>
 *
 * <p>An operation goes through these stages: it is started (perhaps as a command); accepted inside, which gives it a
 * place among those {@link dev.sluice.demultiplexer.operation.InFlight}; waits if another operation of its direction is
 * in progress on the same handle; is begun; is executed by the subclass in one or more attempts; is completed into the
 * {@link dev.sluice.demultiplexer.operation.CompletionQueue}; and is collected.
 * {@link dev.sluice.demultiplexer.operation.Cancellation} and {@link dev.sluice.demultiplexer.operation.Ending} lead to
 * the completion sooner. What differs between types is in the {@link dev.sluice.demultiplexer.operation.Arguments} of
 * that kind, and in an {@link dev.sluice.demultiplexer.operation.Execution} of each mechanism: nothing looks at the
 * type itself, except for the table of kinds of each. An operation keeps those that it has been used with. An append
 * that is forced may wait once more, for the force of another append
 * ({@link dev.sluice.demultiplexer.operation.AppendForces}).
 *
 * <p>If several threads collect, a batch that gets completions of a handle
 * ({@link dev.sluice.demultiplexer.operation.CollectedCompletions}) holds the handle until it is used for another wait
 * or closed. Further completions of that handle are kept in a
 * {@link dev.sluice.demultiplexer.operation.CompletionLine}, and no thread is woken up for them: usually the holder
 * itself gets them by its next wait. If one thread collects, a batch holds only the handles whose hooks run the loop.
 *
 * <p>An echoed message takes these atomic steps in a
 * {@link dev.sluice.demultiplexer.operation.SingleThreadedProcessor}. Each costs some nanoseconds if no other thread
 * takes part, compared with the microseconds that a message costs in the kernel:
 * <ul>
 * <li>the claim of an operation, since any thread may start it;
 * <li>entering between two waits, once for a start and once for the release of a buffer, since another thread may close
 *     a processor that has nothing in flight. A loop that stayed inside for a whole run would need neither, but then no
 *     thread could close before it has left;
 * <li>retaining a provided buffer, and releasing it: of two threads that release it, one must fail;
 * <li>entering, once for each wait, and the fence after the flag that the thread waits, without which a command could
 *     be queued and not be seen.
 * </ul>
 * The counters of what is in flight and the end of an operation are ordered writes without a fence.
 *
 * <p>An exception while an operation is executed affects that operation alone. For lack of memory, or if the program
 * has changed a buffer of the operation, its error says so. Any other exception, as of a broken binding, completes it
 * with {@code EIO}, and is kept in {@link dev.sluice.failure.Failures} until a wait throws it: the thread inside may
 * act for others, which would otherwise wait forever for what it was about to do.
 */
@NullMarked
package dev.sluice.demultiplexer.operation;

import org.jspecify.annotations.NullMarked;
