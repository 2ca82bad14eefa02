package dev.sluice.samples.web;

import dev.sluice.samples.web.protocol.Pipeline;
import dev.sluice.samples.web.protocol.Reply;
import dev.sluice.samples.web.protocol.Request;

/**
 * A request that is complete, and its reply that is being made elsewhere than on its connection. It belongs to one
 * thread at a time, which hands it on until one of them has {@link #made()} the reply. A connection has one exchange at
 * a time, and it is always the same object.
 */
public interface Exchange {

    /** {@return the request} */
    Request request();

    /** {@return the reply, to be described and then completed by the {@link #pipeline()}} */
    Reply reply();

    /** {@return makes replies, as long as this exchange lasts} */
    Pipeline pipeline();

    /** {@return whether the client has gone and will not read the reply; the reply has to be handed in nevertheless} */
    boolean isPointless();

    /** The reply has been completed, and is sent now. The caller must not use this exchange any more. */
    void made();
}
