/**
 * The accounts: what the paper's back-end database server guards. A {@link dev.sluice.samples.oltp.bank.Bank} is a
 * directory; nothing here knows of sockets or commands.
 *
 * <p>The schema is TPC-B's (clause 1.2), without the filler that brings its rows to 100 octets. All numbers begin at 0;
 * branch <i>b</i> of a bank with <i>t</i> tellers and <i>a</i> accounts for each branch has the tellers from <i>bt</i>
 * and the accounts from <i>ba</i> on. A deposit is one transaction: account, teller and branch change by the amount,
 * and the history gets a row.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>SQLite, with a write-ahead log and {@code synchronous=FULL}.</b> A commit has returned only when the log is on
 *     the disk (fsync(2)), and a process that is killed leaves a log that the next one reads to its last whole
 *     commit. H2, the other candidate, needs no native code, but writes its store behind the commit (500 ms, by
 *     default), and its own documentation promises no durability.
 * <li><b>One connection writes, and commits for all.</b> SQLite lets one writer in at a time anyhow, and what a commit
 *     costs is the disk's answer, the same for one deposit and for a hundred. So threads that come while the disk is
 *     busy wait together, and the first of them posts the deposits of all in one transaction:
 *     {@link dev.sluice.samples.oltp.bank.GroupCommit}. No deposit is delayed to wait for company.
 * <li><b>A deposit cannot fail halfway.</b> What can be wrong with it is found out before the first row changes, so one
 *     refusal does not undo its neighbours in the same transaction, and no savepoints are needed; only a balance beyond
 *     64 bits may be found later, and the rows before it are changed back. If the database itself fails, all of the
 *     group fail, none of their rows is left, and the next group begins a new transaction.
 * <li><b>A repeated request is found in the history.</b> Its row holds the request's identity and the balance that was
 *     answered, in the same transaction as the deposit: there is no moment at which one is there without the other. The
 *     same identity with another deposit is refused.
 * <li><b>An account belongs to its branch</b>, and is credited at a teller of this branch only. TPC-B has 15 % of the
 *     deposits at other branches; across back-ends these would be distributed transactions.
 * <li><b>One process has the bank.</b> A lock on a file keeps the second one out; the system takes it back from a
 *     process that dies.
 * </ul>
 */
package dev.sluice.samples.oltp.bank;
