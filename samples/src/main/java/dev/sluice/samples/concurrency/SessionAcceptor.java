package dev.sluice.samples.concurrency;

import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.EventHandler;
import java.io.IOException;

/** Accepts connections on a reactor or a pool, and begins a session on each. */
final class SessionAcceptor implements EventHandler {

    /** Begins a session. */
    interface Opener {

        /** Owns the stream from now on, unless it throws. */
        void open(SocketStream stream) throws IOException;
    }

    private final SocketAcceptor acceptor;
    private final Opener opener;

    SessionAcceptor(SocketAcceptor acceptor, Opener opener) {
        this.acceptor = acceptor;
        this.opener = opener;
    }

    @Override
    public Handle handle() {
        return acceptor.handle();
    }

    @Override
    public void handleInput(Handle handle) throws IOException {
        for (SocketStream stream = acceptor.accept(); stream != null; stream = acceptor.accept()) {
            try {
                opener.open(stream);
            } catch (IOException | RuntimeException e) {
                stream.close();
                throw e;
            }
        }
    }
}
