package dev.sluice.samples.web.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** The reply on a connection beyond the limit, before any request. */
public final class BusyReply {

    private static final String TEXT = "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\n"
            + "Content-Length: 0\r\n\r\n";

    private BusyReply() {
    }

    /** {@return the whole reply} */
    public static byte[] octets() {
        return TEXT.getBytes(US_ASCII);
    }
}
