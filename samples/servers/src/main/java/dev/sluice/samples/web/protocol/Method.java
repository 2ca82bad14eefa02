package dev.sluice.samples.web.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The method of a request; names are case-sensitive (RFC 9110 section 9.1). */
public enum Method {
    /** Transfer a file. */
    GET,
    /** The same without the content. */
    HEAD,
    /** Known, not served. */
    POST,
    /** Replace a file. */
    PUT,
    /** Known, not served. */
    DELETE,
    /** Known, not served. */
    CONNECT,
    /** Tell what is possible. */
    OPTIONS,
    /** Tell what has been received. */
    TRACE,
    /** Known, not served (RFC 5789). */
    PATCH,
    /** Any other. */
    UNKNOWN;

    private static final Method[] ALL = values();

    private final byte[] octets = name().getBytes(StandardCharsets.US_ASCII);

    static Method of(byte[] octets, int from, int to) {
        for (Method method : ALL) {
            if (method.equals(octets, from, to)) {
                return method;
            }
        }
        return UNKNOWN;
    }

    private boolean equals(byte[] array, int from, int to) {
        return Arrays.equals(octets, 0, octets.length, array, from, to);
    }

    /** {@return whether files can be had with it} */
    public boolean isServed() {
        return this == GET || this == HEAD;
    }
}
