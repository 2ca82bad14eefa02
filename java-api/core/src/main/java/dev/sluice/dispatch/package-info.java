/**
 * What event loops and the handle sets of pools share: the table from handles to their event handlers
 * ({@link dev.sluice.dispatch.HandlerTable}), and what they attend to besides handles or completions, which is timers,
 * signals of the operating system, and tasks of other threads ({@link dev.sluice.dispatch.PendingWork}). For this
 * library only.
 *
 * <p>The data is the same whether one thread waits or several do; the locks are left out where one does. How threads
 * wait, and which of them dispatches, is up to the loops of {@link dev.sluice.eventloop} and the pools of
 * {@code dev.sluice.leaderfollowers}.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>An event finds its entry without the table.</b> The entry is the attachment of the registration. The table is
 *     for what names a handle: changes, removals, failures.
 * <li><b>Each entry has a lock of its own where several threads dispatch.</b> Under it the set is asked to report the
 *     handle again, which is a system call: with one lock for the table, threads that dispatch different handles would
 *     wait for each other. Where one thread does everything, a dispatch takes no lock and makes no atomic step. Only a
 *     registration and its end change the map, a concurrent one in both cases, at the price of an uncontended atomic
 *     step beside their system calls.
 * <li><b>An entry stays in the table until its last hook has returned.</b> So the end of a registration needs no
 *     memory, and the next registration of the handle finds what it has to wait for.
 * <li><b>Two contracts of the end.</b> A handler that ends its own registration in a hook is notified inside that hook
 *     by a Reactor, and after it by a pool ({@link dev.sluice.dispatch.CloseTiming}): users rely on either.
 * </ul>
 */
package dev.sluice.dispatch;
