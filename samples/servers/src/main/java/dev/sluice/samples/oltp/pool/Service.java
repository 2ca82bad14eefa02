package dev.sluice.samples.oltp.pool;

import dev.sluice.samples.oltp.resp.ReplyBuffer;
import java.nio.ByteBuffer;

/** What a server does for one connection. Called by one thread at a time, not always by the same one. */
public interface Service {

    /**
     * Takes octets that were received, and answers. May block.
     *
     * @param received consumed; only if many replies wait already, the turn is long or the service is over, some may be
     *                 left
     * @param quantum  tells since when they wait
     * @param replies  where answers go; they are sent when this returns, and then it is called again with what was left
     */
    void serve(ByteBuffer received, Quantum quantum, ReplyBuffer replies);

    /** {@return whether the connection is to be closed once the replies are sent} */
    boolean isOver();
}
