/**
 * What the asynchronous demultiplexers share: the papers' Asynchronous Operation Processor without the part that
 * executes operations.
 *
 * <p>{@link dev.sluice.mechanism.operation.OperationProcessor} has an inside, where one thread is at a time, which
 * owns everything else in here. Other threads leave {@link dev.sluice.mechanism.operation.Command}s: to start, to
 * cancel, to give a buffer back. Each thing that can be commanded carries its own command object, so leaving one
 * allocates nothing. There are two ways to be inside:
 * <ul>
 * <li>A {@link dev.sluice.mechanism.operation.SoleProcessor} belongs to one loop thread, which is inside for good
 *     and also waits there; this costs nothing. It fits a mechanism that one thread waits on.
 * <li>A {@link dev.sluice.mechanism.operation.SharedProcessor} is for a mechanism that many threads wait on. They
 *     wait outside and come in for the microseconds that it takes to complete operations and to begin the next. A
 *     thread that starts something comes in too if nobody is inside, and otherwise leaves its command to whoever is:
 *     the one who goes out looks again whether there is a command, so none is left lying.
 * </ul>
 *
 * <p>An operation goes through these hands: started (perhaps as a command), accepted inside, which gives it
 * a place in the {@link dev.sluice.mechanism.operation.OperationTable}, waiting for its turn if another one of its
 * direction is under way on the same handle, begun, executed by the subclass in one or more attempts, completed into
 * the {@link dev.sluice.mechanism.operation.CompletionQueue}, and collected. What differs on the way from type to
 * type is said here by its {@link dev.sluice.mechanism.operation.Kind}, and by a class of each mechanism there:
 * nothing asks for the type itself.
 *
 * <p>Where several threads collect, whoever gets completions of a handle holds it until it waits again or closes its
 * {@link dev.sluice.mechanism.operation.HoldingCompletions}. What else completes on that handle meanwhile waits in
 * a {@link dev.sluice.mechanism.operation.CompletionLine} of its own, and nobody is woken up for it: mostly it is
 * the holder itself that gets it, with its next wait.
 *
 * <p>Whatever is thrown in the midst of a turn, by a broken binding, for want of memory, or because somebody has
 * touched a buffer that was not theirs, costs one operation, which completes with {@code EIO}. It is kept in
 * {@link dev.sluice.failure.Failures} until a wait throws it, because the thread that is inside may be there for
 * somebody else, and others would wait for ever for what it was about to do.
 */
package dev.sluice.mechanism.operation;
