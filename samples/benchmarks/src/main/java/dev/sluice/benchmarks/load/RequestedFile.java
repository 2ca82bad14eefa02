package dev.sluice.benchmarks.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A file that is asked for over HTTP, and what should come. */
final class RequestedFile {

    private final String name;
    private final ByteBuffer request;
    private final ByteBuffer content;

    /**
     * Creates a file.
     *
     * @param size which of the {@linkplain Site site}
     */
    RequestedFile(int size) {
        name = Site.file(size);
        // As the clients of the paper's time asked: a connection for each file, which ends with it.
        request = direct(("GET /" + name + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        content = direct(Site.content(size));
    }

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    /** {@return a view of the request} */
    ByteBuffer request() {
        return request.duplicate();
    }

    /** {@return a view of what is in the file} */
    ByteBuffer content() {
        return content.duplicate();
    }

    /** {@return its name} */
    @Override
    public String toString() {
        return name;
    }
}
