/**
 * The staged event-driven architecture (SEDA): an application as a network of stages with explicit queues between them,
 * which stays well-conditioned under overload.
 *
 * <p>{@link dev.sluice.stages.Stage} plays the paper's stage, {@link dev.sluice.stages.StageHandler} its event handler,
 * {@link dev.sluice.stages.EventQueue} its incoming event queue as producers see it, and {@link
 * dev.sluice.stages.StageController}s its dynamic resource controllers. {@link dev.sluice.stages.StageGraph} is the
 * application.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>A stage is a module boundary; whether it is a thread boundary is a setting.</b> A queue and a thread pool for
 *     every module cost more under light load than they gain. A stage has its own threads, shares a {@link
 *     dev.sluice.stages.StagePool} or {@link dev.sluice.stages.ProcessorThreads}, runs as tasks of an executor or on an
 *     event loop, or is a direct call. All of them have the same queue, so that admission, counts and controllers are
 *     the same for each; they differ only in the threads that take from it. A program that chooses these itself
 *     implements {@link dev.sluice.stages.StageThreads}.
 * <li><b>A rejection is a value.</b> The producer gets an {@link dev.sluice.stages.EnqueueResult}, and decides whether
 * to wait, to drop the event, to answer with an error or to do something cheaper. The queue decides in the producer's
 * thread, before any work is done.
 * <li><b>A queue is an array and a word.</b> One word holds the number of places claimed and reserved and whether the
 * queue is closed, so an enqueue is one atomic step, and closing is exact: every event accepted before is drained, and
 * none is accepted later. Nothing is allocated, and no lock is taken.
 * <li><b>Producers that wait for space are served in order.</b> Once the queue is half empty, as many of them are
 *     notified as there is space for, the longest waiting first; later producers wait behind them. Otherwise the
 *     producers that have just been served could be first again, forever.
 * <li><b>Two phases reserve a number, not a place.</b> The place in the order is claimed by the commit, so no producer
 * waits for the reservation of another one.
 * <li><b>The batch is a cursor.</b> The handler takes event after event, so the stage knows which one has failed when
 *     it throws, and which were not reached.
 * <li><b>One thread is woken at a time.</b> It wakes the next one if it finds more work than it takes, see {@code
 *     WorkerThreads}.
 * <li><b>Threads share the pending events.</b> Where several may take from a queue, each takes its share of the pending
 * events instead of a full batch, since handling them may block.
 * <li><b>The clock is read only on request.</b> Unless a controller uses times, or the options request them, a stage
 * never reads the clock.
 * <li><b>Controllers decide, the graph acts.</b> A controller gets samples and returns a {@link
 *     dev.sluice.stages.Decision}; so it can be tested with rows of numbers, and replaced. A {@link
 *     dev.sluice.stages.GraphController} does the same for all stages together.
 * <li><b>A look-up creates an edge.</b> As in the paper, a handler gets the queue of another stage from a look-up. So
 * the graph contains the edges that the handlers really use, and a cycle of direct calls is found before the first
 * event.
 * <li><b>A graph is closed to the outside first, and its stages to each other later.</b> Stages that lead to each other
 * continue until they have no events left, which two counts show without stopping any thread.
 * </ul>
 */
@NullMarked
package dev.sluice.stages;

import org.jspecify.annotations.NullMarked;
