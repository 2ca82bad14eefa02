package dev.sluice.samples.oltp.frontend;

import dev.sluice.handle.Handle;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Registration;
import java.io.IOException;

/** Which thread receives on a link, and how a response comes to the thread that waits for it. One for each link. */
interface Responses {

    /** Registers the link for {@link dev.sluice.demultiplexer.Interest#READ}, and returns the registration. */
    Registration receive(Handle handle, EventHandler link) throws IOException;

    /**
     * Announces that a response will be waited for. To be called before the request is sent.
     *
     * @throws IOException if the link is lost
     */
    PendingResponse expect(long tag) throws IOException;

    /** Called by the link when a response has been received. It may not be awaited any more. */
    void handOff(long tag, byte[] response);

    /** Called by the link when its registration has ended: no response will come any more. */
    void lose(IOException cause);
}
