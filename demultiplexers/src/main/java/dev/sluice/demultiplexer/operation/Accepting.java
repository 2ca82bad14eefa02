package dev.sluice.demultiplexer.operation;

import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.hook.HookFailure;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The acceptor of an accept. */
public final class Accepting extends Arguments {

    private static final Logger LOG = LoggerFactory.getLogger(Accepting.class);

    private @Nullable SocketAcceptor acceptor;

    Accepting(OperationSlot operation, OperationType type) {
        super(operation, type, Direction.INPUT);
    }

    void set(SocketAcceptor newAcceptor) {
        acceptor = newAcceptor;
    }

    @Override
    void check() {
        SocketAcceptor given = Objects.requireNonNull(acceptor, "acceptor");
        if (operation().handleAssociation().handle() != given.handle()) {
            throw new IllegalArgumentException(
                    operation().association() + " is not the association of " + given);
        }
    }

    /**
     * Creates the stream of an accepted connection.
     *
     * @param descriptor the descriptor of the connection, which the stream then owns
     * @return the stream; null if there is no memory for it, and the connection has been closed as if by the peer
     */
    public @Nullable SocketStream adopt(long descriptor) {
        assert acceptor != null;
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
