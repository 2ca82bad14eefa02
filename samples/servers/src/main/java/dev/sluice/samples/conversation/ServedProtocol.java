package dev.sluice.samples.conversation;

import dev.sluice.handle.SocketAcceptor;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import dev.sluice.proactor.AsyncStream;
import dev.sluice.proactor.Proactor;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.server.ConnectionLimit;
import dev.sluice.samples.server.EventLoopServer;
import dev.sluice.samples.server.ServerOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/** The protocol of a server, independent of its concurrency strategy: the JAWS paper's protocol handler. */
public interface ServedProtocol {

    /** {@return the sample's name} */
    String name();

    /**
     * Opens the listening socket.
     *
     * @param options the address
     * @return the socket, with the options that connections inherit
     * @throws IOException if the system refuses
     */
    default SocketAcceptor listen(ServerOptions options) throws IOException {
        return options.listen(SocketAcceptor.DEFAULT_BACKLOG);
    }

    /** {@return the limit for the number of connections; by default there is none} */
    default ConnectionLimit limit() {
        return ConnectionLimit.NONE;
    }

    /**
     * Returns the factory of conversations with clients that reactors or threads wait for. Called once, before the
     * first connection.
     *
     * @param server the server, whose loops do not run yet
     * @param threads the threads that serve the conversations
     * @return the factory
     */
    ConversationFactory conversations(EventLoopServer<Reactor> server, ConnectionThreads threads);

    /**
     * Returns a function that begins to serve a client by asynchronous operations. Called once, before the first
     * connection.
     *
     * @param server the server, whose loops do not run yet; several threads may run each loop
     * @return the function, called for each connection
     * @throws UnsupportedOperationException if it has no completion handlers, which is the default
     */
    default Consumer<AsyncStream> services(EventLoopServer<Proactor> server) {
        throw new UnsupportedOperationException(name() + " has no completion handlers");
    }

    /**
     * Ends the waits of conversations for other events than their sockets, when the time for connections to finish has
     * elapsed. Called before their threads are ended, which may be in such a wait.
     */
    default void abandon() {
    }

    /**
     * {@return the design of the leader/followers pool, if one serves} With promotion by handlers, its conversations
     * must call {@link ConnectionThreads#beginLongStep} before long steps.
     */
    default PoolDesign pool() {
        return longestWaitInPool().isZero() ? PoolDesign.USUAL : PoolDesign.BOUND;
    }

    /**
     * {@return the maximum time that conversations wait in the leader/followers pool, if one serves; zero if they do
     * not}
     */
    default Duration longestWaitInPool() {
        return Duration.ZERO;
    }

    /**
     * Called before the first connection if a leader/followers pool on one handle set serves: if conversations
     * {@linkplain #longestWaitInPool wait in it}, the connections that they wait for must be registered there as well.
     *
     * @param pool the pool, which is closed after all connections
     */
    default void servedBy(LeaderFollowersPool pool) {
    }
}
