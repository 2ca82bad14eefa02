/**
 * The staged event-driven architecture (SEDA): an application as a network of stages with explicit queues between them,
 * which stays well-conditioned when more is asked of it than it can do.
 *
 * <p>{@link dev.sluice.stages.Stage} plays the paper's stage, {@link dev.sluice.stages.StageHandler} its event handler,
 * {@link dev.sluice.stages.EventQueue} its incoming event queue as others see it, and
 * {@link dev.sluice.stages.StageController}s its dynamic resource controllers. {@link dev.sluice.stages.StageGraph} is
 * the application.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>A stage is a module boundary; whether it is a thread boundary is a setting.</b> A queue and a thread pool for
 *     every module cost more under light load than they bring. A stage has its own threads, shares a
 *     {@link dev.sluice.stages.StagePool}, runs on an event loop, or is a direct call. All of them have the same queue,
 *     so that admission, counts and controllers are the same for each; they differ only in the threads that take from
 *     it.
 * <li><b>Refusing is a value.</b> The enqueuer gets an {@link dev.sluice.stages.Outcome}, and knows whether to wait, to
 *     drop, to answer with an error or to do something cheaper. It is decided in the enqueuer's thread, before any work
 *     is done.
 * <li><b>A queue is an array with a word.</b> One word holds how many places are given out and reserved and whether the
 *     queue is closed, so enqueueing is one atomic step, and closing is exact: whatever was accepted before is drained,
 *     and nothing is accepted later. Nothing is allocated, and no lock is taken.
 * <li><b>Producers that wait for space are served in order.</b> Once the queue is half empty, as many of them are
 *     notified as there is space for, the longest waiting first; producers that come later wait behind them. Otherwise
 *     those that have just been served would be first again, forever.
 * <li><b>Two phases reserve a number, not a place.</b> The place in the order is given out at the commit, so no
 *     producer waits for the preparation of another one.
 * <li><b>The batch is a cursor.</b> The handler takes event after event, so the stage knows which one has failed when
 *     it throws, and which were not reached.
 * <li><b>One thread is woken at a time.</b> It wakes the next if it finds more than it takes, see {@code
 *     WorkerThreads}.
 * <li><b>Threads share what is there.</b> Where several may take from a queue, each takes its share of what waits
 *     instead of a full batch, since its events may block.
 * <li><b>The clock is read only on request.</b> Unless a controller looks at times, or the options ask for them, a
 *     stage never reads the clock.
 * <li><b>Controllers decide, the graph acts.</b> A controller is fed with samples and returns a
 *     {@link dev.sluice.stages.Decision}; so it can be tested with rows of numbers, and replaced.
 * <li><b>Looking up is what makes an edge.</b> As in the paper a handler gets the queue of another stage from a
 *     look-up. So the graph is what the handlers really use, and a circle of direct calls is found before the first
 *     event.
 * <li><b>Outside and inside are closed apart.</b> A stop first closes the graph to the outside. Stages that lead to
 *     each other can continue until they have nothing left, which two counts show without stopping any thread.
 * </ul>
 */
package dev.sluice.stages;
