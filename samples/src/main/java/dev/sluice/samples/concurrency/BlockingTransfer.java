package dev.sluice.samples.concurrency;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A connection as a thread of its own sees it: every call waits until it is done. */
interface BlockingTransfer extends Closeable {

    /** {@return how many bytes were received, at least one; negative at the end of the stream} */
    int receive(ByteBuffer destination) throws IOException;

    /** Sends all of it. */
    void send(ByteBuffer source) throws IOException;
}
