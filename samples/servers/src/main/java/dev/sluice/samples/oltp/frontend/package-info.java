/**
 * {@code sluice oltp-front}: the paper's front-end communication server (sections 2 and 10.1). It accepts clients, and
 * forwards what they ask to the back-end that has the branch, over a few connections that all clients share.
 *
 * <p>A {@link dev.sluice.samples.oltp.frontend.FrontEndService} is what one client gets; it blocks while back-ends
 * work, in whatever thread the {@link dev.sluice.samples.conversation.ConcurrencyStrategy} gives it. A {@code Link} is
 * one connection to a back-end, a {@code BackEnd} all those to one server, {@code BackEnds} all servers. {@link
 * dev.sluice.samples.oltp.command} says what travels on a link: {@code FORWARD tag command...} and, in any order,
 * arrays of a tag and a reply. Tag 0 of each link is the front end's own question for the bank's size.
 *
 * <p>How a reply finds the thread that waits for it is a matter of the link's {@code Responses}:
 * <ul>
 * <li>With {@code --concurrency leader-followers} they are bound ({@code BoundResponses}). The links are handles of
 *     the pool that has those of the clients too, and a thread that has forwarded a request joins the pool again until
 *     its reply is there: it may lead meanwhile, hand replies to other threads, or serve another client (the paper's
 *     hybrids, 10.3 and 10.4). So when all threads wait for replies, one of them is the leader that receives these.
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
 *     be sent again when its link breaks, on another link, until the time is up.
 * <li><b>No link, no wait.</b> If the back-end is down, clients get an error reply immediately. Links reconnect by
 *     themselves, with pauses that double up to two seconds.
 * <li><b>For every request there is a latest time for an answer</b>, {@code --timeout} after it was found to be there,
 *     or after the last answer that its client got from a back-end: what has been pipelined behind a request that gets
 *     none fails with it, unsent. With half-sync the time in the queue counts. With leader/followers a thread that
 *     waits for one client may have taken on another one meanwhile, whose time ends later. It takes on none once the
 *     first one's time is up, and connections that no thread can take wait in a queue, where their time goes on; so a
 *     client waits for twice {@code --timeout} at most, and a turn's tenth of a second, whatever the number of clients
 *     and threads. The reactor model serves one client at a time, and finds the next one's request when it is done with
 *     the first: there these times add up.
 * <li><b>Silence ends a link.</b> When a request's time is up and nothing at all has come on its link since, the link
 *     is closed and reconnected; otherwise it would stay open for a quarter of an hour if the other machine is gone
 *     (tcp(7), {@code tcp_retries2}).
 * <li><b>Without its links' thread the server ends</b>, with an error and exit code 1, as it does without a thread of
 *     its leader/followers pool: it would accept clients, and fail them forever. The exception of a hook ends a
 *     connection only; what ends a thread is the failure of the demultiplexer, or of the virtual machine.
 * <li><b>Deposits that a client has pipelined go out together</b>, on one link to each back-end, and so are made
 *     in their order.
 * <li><b>A client's order is kept</b>, on each of its connections. Replies come in the order of the requests. Deposits
 *     at one back-end are made in their order, as far as they are acknowledged: those whose link is lost are sent again
 *     one by one, each when the one before it is answered; and of those that the lost link had delivered after all,
 *     only the first copy counts. What a client asks after a deposit is sent when that is answered, so a balance
 *     contains every deposit that was acknowledged before, on any connection. A deposit that got {@code FAIL} may be
 *     made at any time until the back-end has found the end of the link, also after requests that came later, or never:
 *     to know, repeat it with its request id. Of deposits at different back-ends neither order nor identity is common.
 * <li><b>A slow back-end costs no memory</b>: what a link has not been able to send is limited, and what is beyond that
 *     fails.
 * </ul>
 */
package dev.sluice.samples.oltp.frontend;
