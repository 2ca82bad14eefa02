package dev.sluice.connection;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.handle.SocketStream;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * The strategy by which an {@link Acceptor} or an {@link dev.sluice.proactor.AsyncAcceptor} hands out its connections
 * to several loops: dispatchers, or proactors. Each acceptor has one of its own, which one thread at a time uses.
 */
@FunctionalInterface
public interface Distribution {

    /**
     * Chooses a loop for a connection. Should it turn out to be closed, this is called again without it.
     *
     * @param connection has just been accepted, and is not to be kept
     * @param loops      at least one; always in the same order, but those found closed go missing
     * @return the index of one of the loops; the connection is closed if this throws
     */
    int choose(SocketStream connection, List<? extends Executor> loops);

    /** {@return a new strategy that chooses one loop after the other: what acceptors do unless given another one} */
    @CheckReturnValue
    static Distribution roundRobin() {
        return new Distribution() {
            private int next;

            @Override
            public int choose(SocketStream connection, List<? extends Executor> loops) {
                int chosen = next < loops.size() ? next : 0;
                next = chosen + 1;
                return chosen;
            }
        };
    }
}
