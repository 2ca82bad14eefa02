package dev.sluice.samples.web.protocol;

import java.io.Closeable;
import java.nio.ByteBuffer;

/** Takes the content of one request. For one thread at a time. */
public interface ContentSink extends Closeable {

    /** {@return why the request is refused whatever its content, or null; then nothing is written here} */
    Status refusal();

    /** {@return the number of octets that it takes at most, framing included} */
    long limit();

    /**
     * Takes octets, as many as there is space for.
     *
     * @param octets the octets; if any are left, it {@link #isWaiting()}
     * @return why that was impossible, or null
     */
    Status write(ByteBuffer octets);

    /** {@return whether {@link #store()} has to be called before it can say more, or take more} */
    boolean isWaiting();

    /** Does what may have to wait for the file system. For any thread, while none calls anything else. */
    void store();

    /**
     * Refuses the content, because nothing can {@link #store()} it just now.
     *
     * @param why the answer to the request
     */
    void refuse(Status why);

    /**
     * The request has been answered, or will never be: what has not been kept by then is not kept. After an answer this
     * waits for nothing; before, it may have to wait for the file system.
     */
    @Override
    void close();
}
