/**
 * {@code sluice oltp-front}: the paper's front-end communication server (sections 2 and 10.1). It accepts clients, and
 * forwards what they ask to the back-end that has the branch, over a few connections that all clients share.
 *
 * <p>A {@link dev.sluice.samples.oltp.frontend.FrontEndService} is what one client gets; it blocks while back-ends work,
 * in whatever thread the {@link dev.sluice.samples.oltp.pool.PoolModel} gives it. A {@code Link} is one connection to a
 * back-end, a {@code BackEnd} all those to one server, {@code BackEnds} all servers. The links have a reactor and a
 * thread of their own, which receives replies and hands each to the thread that waits for it.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>Branch <i>b</i> lives on back-end <i>b</i> mod <i>n</i>.</b> Every back-end has the tables of the whole bank and
 *     uses its part of them. A link asks for the bank's size before it is used, which is also how an account is known to
 *     be of a branch; a back-end whose bank has another size than the first one's is not used.
 * <li><b>A deposit without a request id gets one here</b>, unique to this process and this deposit. So each deposit can
 *     be sent again when its link breaks, on another link, until the time is up; those that were pipelined may change
 *     their order then.
 * <li><b>No link, no wait.</b> If the back-end is down its clients are told at once, and for every request there is a
 *     latest time for an answer. Links come back by themselves, with pauses that double up to two seconds.
 * <li><b>Deposits that a client has pipelined go out together</b>, on one link, and so are made in their order.
 * <li><b>A slow back-end costs no memory</b>: what a link has not been able to send is limited, and what is beyond that
 *     fails.
 * </ul>
 */
package dev.sluice.samples.oltp.frontend;
