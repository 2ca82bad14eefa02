/**
 * Compares the {@linkplain dev.sluice.samples.conversation.ConcurrencyStrategy concurrency strategies} of all servers,
 * with Leader/Followers in all its designs: one closed-loop load, and the cost of a request under each.
 *
 * <p>Each setup, a strategy on a handle set, has a {@linkplain dev.sluice.samples.compare.MeasuredServer server
 * process} of its own, so that context switches and allocations are its own, and no strategy runs code that the JIT
 * compiler has optimized for another. The request specifies the amount of work of the service. Its cost is measured
 * once, by the client. So every server does the same work, and serves all workloads without a restart.
 *
 * <p>The load comes from one thread, which needs its share of the machine: with few CPUs and a cheap request it may be
 * what limits the throughput. Figures are read while no request is in progress. They are those of the whole process:
 * the virtual machine's own threads add some tens of context switches a second, and little else.
 *
 * <p>Everything is measured several times, and a row shows the spread of the repetitions; a conclusion is drawn only
 * from larger differences. A row also shows reasons to doubt it: the CPU time of the load generator's thread, and of
 * everything else on the machine.
 *
 * <p>An interrupted comparison ends its server and keeps the results so far. A terminal sends its signals to the
 * servers as well, which ignore them: a server that exits because of a signal could not be distinguished from one that
 * has failed.
 */
package dev.sluice.samples.compare;
