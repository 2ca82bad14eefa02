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

/** What a server does, whatever its concurrency strategy: the JAWS paper's protocol handler, and what it needs. */
public interface ServedProtocol {

    /** {@return the sample's name} */
    String name();

    /**
     * Opens the listening socket.
     *
     * @param options say where
     * @return the socket, with the options that connections inherit
     * @throws IOException if the system refuses
     */
    default SocketAcceptor listen(ServerOptions options) throws IOException {
        return options.listen(SocketAcceptor.DEFAULT_BACKLOG);
    }

    /** {@return how many connections there may be; one that refuses none, unless overridden} */
    default ConnectionLimit limit() {
        return ConnectionLimit.NONE;
    }

    /**
     * Tells how to converse with clients that reactors or threads wait for. Called once, before the first one comes.
     *
     * @param server  its loops, which do not run yet
     * @param threads serve the conversations
     * @return makes the conversations
     */
    ConversationFactory conversations(EventLoopServer<Reactor> server, ConnectionThreads threads);

    /**
     * Tells how to serve clients by asynchronous operations. Called once, before the first one comes.
     *
     * @param server its loops, which do not run yet; several threads may run each
     * @return begins the service of each connection
     * @throws UnsupportedOperationException if it has no completion handlers, as it has none unless this is overridden
     */
    default Consumer<AsyncStream> services(EventLoopServer<Proactor> server) {
        throw new UnsupportedOperationException(name() + " has no completion handlers");
    }

    /**
     * The connections had their time to finish: conversations that wait for something else wait no longer. Called
     * before their threads are ended, which may be in the middle of such a wait.
     */
    default void abandon() {
    }

    /**
     * {@return how the leader/followers pool is made that serves, if one does} With promotion by handlers, its
     * conversations have to {@linkplain ConnectionThreads#beginLongStep say} what takes long.
     */
    default PoolDesign pool() {
        return longestWaitInPool().isZero() ? PoolDesign.USUAL : PoolDesign.BOUND;
    }

    /**
     * {@return the longest that conversations wait in the leader/followers pool that serves, if one does; zero if they
     * do not}
     */
    default Duration longestWaitInPool() {
        return Duration.ZERO;
    }

    /**
     * Called before the first connection if a leader/followers pool on one handle set serves: where conversations
     * {@linkplain #longestWaitInPool wait in it}, the connections that they wait for are to be registered there as
     * well.
     *
     * @param pool open for longer than any connection is served
     */
    default void servedBy(LeaderFollowersPool pool) {
    }
}
