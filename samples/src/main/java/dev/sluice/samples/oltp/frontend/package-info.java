/**
 * {@code sluice oltp-front}: the paper's front-end communication server (sections 2 and 10.1). It accepts clients, and
 * forwards what they ask to the back-end that has the branch, over a few connections that all clients share.
 *
 * <p>A {@link dev.sluice.samples.oltp.frontend.FrontEndService} is what one client gets; it blocks while back-ends
 * work, in whatever thread the {@link dev.sluice.samples.oltp.pool.PoolModel} gives it. A {@code Link} is one
 * connection to a back-end, a {@code BackEnd} all those to one server, {@code BackEnds} all servers. {@link
 * dev.sluice.samples.oltp.command} says what travels on a link: {@code FORWARD tag command...} and, in any order, arrays
 * of a tag and a reply. Tag 0 of each link is the front end's own question for the bank's size.
 *
 * <p>How a reply finds the thread that waits for it is a matter of the link's {@code Responses}:
 * <ul>
 * <li>With {@code --pool leader-followers} they are bound ({@code BoundResponses}). The links are handles of the pool
 *     that has those of the clients too, and a thread that has forwarded a request joins the pool again until its reply
 *     is there: it may lead meanwhile, hand replies to other threads, or serve another client (the paper's hybrids,
 *     10.3 and 10.4). So when all threads wait for replies, one of them is the leader that receives these.
 * <li>With the other models they are parked ({@code ParkedResponses}). The links have a reactor and a thread of their
 *     own, which receives all replies.
 * </ul>
 * In each case one thread connects, and connects again.
 *
 * <p>Decisions, and why:
 * <ul>
 * <li><b>Branch <i>b</i> lives on back-end <i>b</i> mod <i>n</i>.</b> Every back-end has the tables of the whole bank
 *     and uses its part of them. A link asks for the bank's size before it is used, which is also how an account is
 *     known to be of a branch; a back-end whose bank has another size than the first one's is not used.
 * <li><b>A deposit without a request id gets one here</b>, unique to this process and this deposit. So each deposit can
 *     be sent again when its link breaks, on another link, until the time is up; those that were pipelined may change
 *     their order then.
 * <li><b>No link, no wait.</b> If the back-end is down its clients are told at once, and for every request there is a
 *     latest time for an answer. Links come back by themselves, with pauses that double up to two seconds. With
 *     leader/followers a client may wait for that time more than once, if its thread has taken on others meanwhile;
 *     there is a limit to that.
 * <li><b>Silence ends a link.</b> When a request's time is up and nothing at all has come on its link since, the link is
 *     given up and made anew; a machine that is gone would keep it for a quarter of an hour otherwise (tcp(7),
 *     {@code tcp_retries2}).
 * <li><b>Without its links' thread the server ends</b>, with an error and exit code 1, as it does without a thread of
 *     its leader/followers pool: it would accept clients, and fail them for ever. The exception of a hook ends a connection
 *     only; what ends a thread is the failure of the demultiplexer, or of the virtual machine.
 * <li><b>Deposits that a client has pipelined go out together</b>, on one link to each back-end, and so are made
 *     in their order.
 * <li><b>A slow back-end costs no memory</b>: what a link has not been able to send is limited, and what is beyond that
 *     fails.
 * </ul>
 */
package dev.sluice.samples.oltp.frontend;
