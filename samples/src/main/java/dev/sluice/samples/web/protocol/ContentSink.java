package dev.sluice.samples.web.protocol;

import java.io.Closeable;
import java.nio.ByteBuffer;

/** Where the content of one request goes. For the thread of its connection. */
public interface ContentSink extends Closeable {

    /** {@return why the request is refused whatever its content, or null; then nothing is written here} */
    Status refusal();

    /** {@return how many octets it takes at most, framing included} */
    long limit();

    /**
     * Takes octets.
     *
     * @param octets the octets, of which none is left
     * @return why that was impossible, or null
     */
    Status write(ByteBuffer octets);

    /** The request has been answered, or will never be: what has not been kept by then is not kept. */
    @Override
    void close();
}
