package dev.sluice.benchmarks.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What a client asks a web server for.
 *
 * @param path    of it
 * @param request that asks for it and leaves the connection open
 * @param size    of what comes, in bytes
 * @param place   where that begins in the {@link Pattern}; {@link #ANYTHING} if any bytes will do
 */
record Page(String path, ByteBuffer request, int size, int place) {

    /** As the place of a page that is made for each request. */
    static final int ANYTHING = -1;

    Page(String path, int size, int place) {
        this(path, ByteBuffer.wrap(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII)), size, place);
    }
}
