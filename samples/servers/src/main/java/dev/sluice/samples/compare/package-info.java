/**
 * Compares the {@linkplain dev.sluice.samples.conversation.ConcurrencyStrategy concurrency strategies} of all servers,
 * with Leader/Followers in all its designs: one closed-loop load, and what a request costs under each.
 *
 * <p>Each setup, a strategy on a handle set, has a {@linkplain dev.sluice.samples.compare.MeasuredServer server
 * process} of its own, so that context switches and allocations are its own too, and no strategy runs what the JIT
 * compiler has made for another. All CPU cost is in the request: it tells how much work the service does. What that
 * costs is measured once, by the client. So every server does the same work, and serves all workloads without a new
 * start.
 *
 * <p>The load comes from one thread, which needs its share of the machine: with few CPUs and a cheap request it may be
 * what limits the throughput. Figures are read while no request is under way. They are those of the whole process: the
 * virtual machine's own threads add some tens of context switches a second, and nothing that is worth mentioning else.
 *
 * <p>Everything is measured several times, and a row tells how far the repetitions lie apart; a conclusion is drawn
 * only from what lies further apart than they do. Beside that stands what would make a row doubtful: how much of a CPU
 * the load's own thread has used, and how much whatever else runs on the machine.
 *
 * <p>An interrupted comparison ends its server and keeps the results so far. A terminal sends its signals to the
 * servers as well, which ignore them: a server that exits because of a signal could not be distinguished from one that
 * has failed.
 */
package dev.sluice.samples.compare;
