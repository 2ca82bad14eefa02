/**
 * The common parts of event loops and of the handle sets of pools: the table that maps handles to their event handlers
 * ({@link dev.sluice.dispatch.HandlerTable}), and timers, signals of the operating system, and tasks of other threads
 * ({@link dev.sluice.dispatch.PendingWork}). Not exported to programs.
 *
 * <p>The same classes are used for one waiting thread, without locks, and for several. The loops of
 * {@link dev.sluice.eventloop} and the pools of {@code dev.sluice.leaderfollowers} determine how threads wait, and
 * which of them dispatches.
 *
 * <p>Design decisions:
 * <ul>
 * <li><b>An event leads to its entry without the table.</b> The entry is the attachment of the registration. The table
 * is used when a handle is given: for changes, removals, and failures.
 * <li><b>If several threads dispatch, each entry has a lock of its own.</b> Under it the set is rearmed, which is a
 * system call: with one lock for the table, threads that dispatch different handles would wait for each other. If one
 * thread dispatches, a dispatch takes no lock and executes no atomic operation. The map is concurrent in both cases;
 * only a registration and its end change it, at the cost of an uncontended atomic operation in addition to their system
 * calls.
 * <li><b>An entry stays in the table until its last hook has returned.</b> So the end of a registration needs no
 * memory, and the next registration of the handle finds the entry that it must wait for.
 * <li><b>There are two contracts for the end of a registration.</b> A handler that ends its own registration in a hook
 * is notified inside that hook by a Reactor, and after it by a pool ({@link dev.sluice.dispatch.CloseTiming}). Programs
 * depend on both.
 * </ul>
 */
package dev.sluice.dispatch;
