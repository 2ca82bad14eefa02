/**
 * What the asynchronous demultiplexers of Unix systems share: the papers' Asynchronous Operation Processor without the
 * part that executes operations.
 *
 * <p>{@link dev.sluice.demultiplexers.operation.OperationProcessor} belongs to one loop thread, which owns everything
 * else in here. Other threads leave {@link dev.sluice.demultiplexers.operation.Command}s: to start, to cancel, to give
 * a buffer back. Each thing that can be commanded carries its own command object, so leaving one allocates nothing.
 *
 * <p>An operation goes through these hands: started (perhaps as a command), accepted by the loop thread, which gives it
 * a place in the {@link dev.sluice.demultiplexers.operation.OperationTable}, waiting for its turn if another one of its
 * direction is under way on the same handle, begun, executed by the subclass in one or more attempts, completed into
 * the {@link dev.sluice.demultiplexers.operation.CompletionQueue}, and collected.
 */
package dev.sluice.demultiplexers.operation;
