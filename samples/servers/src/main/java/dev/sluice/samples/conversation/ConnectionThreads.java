package dev.sluice.samples.conversation;

import dev.sluice.connection.ListenOptions;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/** The threads that serve the connections of a server, and the way by which they get connections. */
public interface ConnectionThreads extends AutoCloseable {

    /**
     * Begins to accept.
     *
     * @param socket        the listening socket; owned by the acceptor from now on
     * @param reactors the reactors, each of which runs in its thread as long as connections are accepted
     * @param options       how they are accepted
     * @param conversations creates their conversations
     * @param open          the open connections of a reactor, to which a connection is added while it is open
     * @throws IOException if it cannot
     */
    void accept(SocketAcceptor socket, List<Reactor> reactors, ListenOptions options,
                ConversationFactory conversations, Function<Dispatcher, Connections> open) throws IOException;

    /**
     * Begins to serve connections that are given, besides those that it accepts itself.
     *
     * @param arrivals      what it accepts, if there is a socket
     * @param reactors      will run, each in its thread
     * @param conversations makes their conversations
     * @param open          those of a reactor, which have a connection among them while it is open
     * @return takes a connection; for one thread
     * @throws IOException if it cannot
     */
    Consumer<SocketStream> take(Arrivals arrivals, List<Reactor> reactors, ConversationFactory conversations,
            Function<Dispatcher, Connections> open) throws IOException;

    /** {@return the number of given connections that wait for a thread; by default there are none} */
    default int waiting() {
        return 0;
    }

    /**
     * Hands on the given connections that wait for a thread, and those that come after this as well. By default there
     * are none.
     *
     * @param taker takes them; called by any thread
     */
    default void move(Consumer<SocketStream> taker) {
    }

    /**
     * {@return the name of the demultiplexer that waits for connections}
     *
     * @param ofReactors the demultiplexer of the reactors
     */
    default String demultiplexer(String ofReactors) {
        return ofReactors;
    }

    /**
     * {@return a few figures by name, in order, the first of which is {@code pool_threads}, the number of threads} May
     * be called by any thread; the figures are not a consistent snapshot.
     *
     * @param connections the number of open connections
     */
    Map<String, Object> states(int connections);

    /**
     * Lets another thread wait for connections, in a leader/followers pool whose handlers {@linkplain
     * dev.sluice.leaderfollowers.Promotion#BY_HANDLER promote}. Called before work that takes longer than waking a
     * thread, some microseconds. The default implementation does nothing.
     */
    default void beginLongStep() {
    }

    /**
     * Ends the threads, after waiting a few seconds for their current work. Called when the reactors are closed.
     * Connections that the reactors do not know are closed before.
     */
    @Override
    default void close() {
    }
}
