/**
 * {@code sluice oltp-back}: the paper's back-end database server (section 2). It keeps a {@link
 * dev.sluice.samples.oltp.bank.Bank} and speaks RESP2, so Redis's own clients are its clients.
 *
 * <p>A {@link dev.sluice.samples.oltp.backend.BackEndService} is what one connection gets: it takes octets and answers,
 * in whatever thread the {@link dev.sluice.samples.oltp.pool.PoolModel} gives it, which waits for the disk meanwhile.
 * Deposits that have come together are made together, in their order; see the bank for why that is worth it.
 *
 * <table>
 * <caption>Commands</caption>
 * <tr><th>request</th><th>reply</th></tr>
 * <tr><td>{@code DEPOSIT account teller branch amount [requestId]}</td>
 *     <td>the account's balance after it, as an integer; a repeated request id gets the first one's. By the time of the
 *     reply the deposit is on the disk</td></tr>
 * <tr><td>{@code BALANCE account}</td><td>an integer</td></tr>
 * <tr><td>{@code INFO [section]}</td><td>lines of {@code name:value}; {@code totals}, which looks at every account and
 *     deposit, only if it is asked for</td></tr>
 * <tr><td>{@code PING [message]}, {@code COMMAND}, {@code QUIT}</td><td>as Redis does</td></tr>
 * <tr><td>{@code HELLO 2}, {@code CLIENT}, {@code CONFIG GET}, {@code SELECT 0}</td>
 *     <td>what Redis's clients ask on their own is answered as by a server with nothing to tell</td></tr>
 * </table>
 *
 * <p>An error begins with {@code ERR} if the request is to blame and will fail again, and with {@code FAIL} if the bank
 * is: the deposit may have been made or not, and should be repeated with its request id.
 */
package dev.sluice.samples.oltp.backend;
