package dev.sluice.samples.oltp.frontend;

import java.io.IOException;

/** The response to a request that has been sent. */
@FunctionalInterface
interface PendingResponse {

    /**
     * Waits for it, once.
     *
     * @param deadline by {@link System#nanoTime()}
     * @return a reply as it came
     * @throws java.net.SocketTimeoutException         if it has not come by then
     * @throws dev.sluice.handle.HandleClosedException if this server ends
     * @throws java.io.InterruptedIOException          if the thread is interrupted
     * @throws IOException                             if the link is lost
     */
    byte[] await(long deadline) throws IOException;
}
