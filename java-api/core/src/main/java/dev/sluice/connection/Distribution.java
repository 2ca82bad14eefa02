package dev.sluice.connection;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.handle.SocketStream;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * The strategy by which an {@link Acceptor} or an {@link dev.sluice.proactor.AsyncAcceptor} distributes its connections
 * among several loops, which are dispatchers or proactors. Each acceptor has a strategy of its own, which one thread at
 * a time uses.
 */
@FunctionalInterface
public interface Distribution {

    /**
     * Chooses a loop for a connection. If the chosen loop is closed, this is called again without it. If this throws,
     * the connection is closed.
     *
     * @param connection the accepted connection, which must not be retained
     * @param loops      the loops, at least one, always in the same order, without those that have been closed
     * @return the index of the chosen loop
     */
    int choose(SocketStream connection, List<? extends Executor> loops);

    /** {@return a new round-robin strategy, which is the default} */
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
