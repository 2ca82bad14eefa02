package dev.sluice.benchmarks.load;

import java.io.IOException;
import java.nio.ByteBuffer;

/** What a connection is made for: something to send, and a reply to check. It does no input or output itself. */
interface RequestTask {

    /** {@return what has not been sent yet, from position to limit} */
    ByteBuffer unsent();

    /**
     * Takes what has come.
     *
     * @param bytes from position to limit
     * @throws IOException if that is no part of the right reply
     */
    void received(ByteBuffer bytes) throws IOException;

    /**
     * Takes it that no more will come.
     *
     * @throws IOException if there should be more
     */
    void ended() throws IOException;

    /** {@return whether the connection has served its purpose} */
    boolean isComplete();
}
