/**
 * RESP2, the protocol of Redis, as a server sees it: requests come in, replies go out, and there is no socket in sight.
 *
 * <p>A {@link dev.sluice.samples.oltp.resp.RequestParser} takes octets in any portions and fills a
 * {@link dev.sluice.samples.oltp.resp.Request}, which is used again for the next; a
 * {@link dev.sluice.samples.oltp.resp.ReplyBuffer} gathers replies until they are sent, and a {@link
 * dev.sluice.samples.oltp.resp.ReplyParser} finds them at the other end. None of them allocates once it
 * has grown to the size of what passes through it.
 *
 * <p>A request is an array of bulk strings, or an inline command: a line of words, for people with a terminal. Inline
 * words are not quoted. What is neither is malformed; where the next request would begin is unknown then, so the
 * connection has to end, after an error reply, as with Redis. So does one on which a {@linkplain
 * dev.sluice.samples.lines.HttpLine line of HTTP} comes, before what a web page has put behind it is executed.
 */
package dev.sluice.samples.oltp.resp;
