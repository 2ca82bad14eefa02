package dev.sluice.samples.web.protocol;

/**
 * How much a client may send for one request.
 *
 * @param requestLine octets of the request line; more are 414
 * @param head        octets of the request line and the fields together, line ends not counted; more are 431
 * @param fields      field lines; more are 431
 * @param content     octets of content, including the framing of chunks and the trailers; more are 413
 */
public record Limits(int requestLine, int head, int fields, int content) {

    /** RFC 9112 section 3 recommends a request line of 8000 octets at least. */
    public static final Limits DEFAULT = new Limits(8 * 1024, 16 * 1024, 100, 64 * 1024);

    /** Checks that something can be sent at all. */
    public Limits {
        if (requestLine < 1 || head < requestLine || fields < 1 || content < 0) {
            throw new IllegalArgumentException("limits: request line " + requestLine + ", head " + head + ", fields "
                    + fields + ", content " + content);
        }
    }
}
