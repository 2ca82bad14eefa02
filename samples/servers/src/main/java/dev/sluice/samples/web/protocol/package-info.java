/**
 * HTTP/1.1 (RFC 9110 and RFC 9112) as a file server needs it, without a socket in sight: the part that JAWS calls the
 * Protocol Handler. The I/O strategies, reactive or proactive, share it and only move bytes.
 *
 * <p>A connection owns a {@link dev.sluice.samples.web.protocol.RequestParser} and one or more
 * {@link dev.sluice.samples.web.protocol.Reply}s. It feeds the parser with whatever has arrived; of each complete
 * {@link dev.sluice.samples.web.protocol.Request} the {@link dev.sluice.samples.web.protocol.Pipeline} makes a reply:
 * the octets of the head, and a body that is either octets or a part of an open file. At its beginning is the
 * {@link dev.sluice.samples.web.protocol.FileHandler}, which all connections share; what the RFCs say of conditions,
 * ranges and content codings are a {@link dev.sluice.samples.web.protocol.Filter} each. The access log and the limit of
 * the rate are filters, too, that go
 * {@linkplain dev.sluice.samples.web.protocol.TransferOnlyFilter with the reply}; they belong
 * to {@code samples.io}, which every protocol has.
 *
 * <p>Where RFC 9112 lets a recipient repair a message, this one refuses it: a bare LF, an obsolete line folding,
 * repeated or contradicting framing fields. Repairs are what request smuggling lives on (RFC 9112 section 11.2). After
 * a refusal the connection ends, because the start of the next request is unknown.
 *
 * <p>Decisions the RFCs leave open:
 * <ul>
 * <li>Content of a request other than PUT means nothing to a file server. It is read, bounded and dropped before the
 *     reply is made, so that a reply never precedes the discovery that its request was malformed. That of a PUT goes to
 *     a {@link dev.sluice.samples.web.protocol.ContentSink}, which is found, or refused, as soon as the head is there.
 * <li>PUT replaces whole files only, as they are: {@code Content-Range} is 400 (section 14.5), {@code Content-Encoding}
 *     415, and without a length or chunks it is 411. What may not be replaced is 405, what no file can be 409.
 * <li>TRACE leaves out cookies and credentials (section 9.3.8), and is off unless asked for.
 * <li>Several ranges in one request are answered as {@code multipart/byteranges}, unless they are more than 64 or one
 *     of them is invalid: then with the whole file, for RFC 9110 section 14.2 allows to ignore the field. Those that
 *     overlap become one. So no request gets more than the file and the delimiters of 64 parts.
 * <li>{@code Range} counts for GET only (section 14.2), so HEAD is answered as a GET without it.
 * <li>A content coding makes another representation: with its own entity tag and its own ranges. Of a coded file only
 *     one range is sent at a time. What Accept-Encoding does not mention is acceptable if it is the plain file; a field
 *     that is malformed tells nothing. Only of types that shrink are there codings, so other replies need no Vary.
 * <li>The known methods that are not served get 405, unknown ones 501.
 * </ul>
 */
package dev.sluice.samples.web.protocol;
