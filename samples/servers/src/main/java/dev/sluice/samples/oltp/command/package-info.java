/**
 * The commands that both OLTP servers understand, as far as they mean the same to both.
 *
 * <p>A {@link dev.sluice.samples.oltp.command.CommandService} cuts what a client sends into requests, checks them, and
 * answers what needs neither bank nor back-end. Deposits that have come together are gathered, so that the server can
 * make or forward them together; everything else first waits for them, so replies are in the order of the requests.
 *
 * <table>
 * <caption>Commands</caption>
 * <tr><th>request</th><th>reply</th></tr>
 * <tr><td>{@code DEPOSIT account teller branch amount [requestId]}</td>
 *     <td>the account's balance after it, as an integer; a repeated request id gets the first one's. By the time of the
 *     reply the deposit is on the disk</td></tr>
 * <tr><td>{@code BALANCE account}</td><td>an integer</td></tr>
 * <tr><td>{@code INFO [section]}</td><td>lines of {@code name:value}</td></tr>
 * <tr><td>{@code PING [message]}, {@code COMMAND}, {@code QUIT}</td><td>as Redis does</td></tr>
 * <tr><td>{@code HELLO 2}, {@code CLIENT}, {@code CONFIG GET}, {@code SELECT 0}</td>
 *     <td>what Redis's clients ask on their own is answered as by a server with nothing to tell</td></tr>
 * <tr><td>{@code FORWARD tag command [argument...]}</td>
 *     <td>an array of the tag and the command's reply, for front ends</td></tr>
 * </table>
 *
 * <p>An error begins with {@code ERR} if the request is to blame and will fail again, and with {@code FAIL} if the
 * server is: a deposit may have been made or not, and should be repeated with its request id.
 *
 * <p><b>Between front end and back-end</b> the same protocol travels, over a few connections that many clients share. A
 * front end wraps what it forwards into {@code FORWARD}, with a tag of its own choice, a number below 10<sup>18</sup>
 * that no other unanswered request on this connection has. Replies to such requests come in any order, and the tag
 * tells whose they are: a balance does not wait for the deposits before it to reach the disk. So a front end sends what
 * a client asks after a deposit only when the deposit is answered; deposits on one connection are made in the order of
 * their sending. An error of the command is inside of the array. Errors outside of it, and whatever else is no such
 * array, mean that the two do not speak the same language, and end the connection.
 *
 * <p>A tag is good for one connection. What a client's deposit is known by, across connections and restarts, is the
 * request id.
 */
package dev.sluice.samples.oltp.command;
