package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.hook.HookFailure;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where connections are accepted. */
public final class Accepting extends Arguments {

    private static final Logger LOG = LoggerFactory.getLogger(Accepting.class);

    private SocketAcceptor acceptor;

    Accepting(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.INPUT);
    }

    void set(SocketAcceptor newAcceptor) {
        acceptor = newAcceptor;
    }

    @Override
    void check() {
        Objects.requireNonNull(acceptor, "acceptor");
        if (operation().association().handle() != acceptor.handle()) {
            throw new IllegalArgumentException(
                    operation().association() + " is not the association of " + acceptor);
        }
    }

    /**
     * Takes over a connection that has been accepted.
     *
     * @param descriptor belongs to the stream from now on
     * @return the stream, or null if there is no memory for it: the connection is then closed, as if the peer had given
     *         it up
     */
    public SocketStream adopt(long descriptor) {
        try {
            return Descriptors.adoptConnection(acceptor, descriptor);
        } catch (OutOfMemoryError e) {
            HookFailure.log(LOG, "out of memory: closing an accepted connection", e);
            return null;
        }
    }

    @Override
    void forget() {
        acceptor = null;
    }
}
