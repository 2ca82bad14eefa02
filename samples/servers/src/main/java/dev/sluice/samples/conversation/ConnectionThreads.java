package dev.sluice.samples.conversation;

import dev.sluice.connection.ListenOptions;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The threads that go on with the connections of a server, and how connections come to them. */
public interface ConnectionThreads extends AutoCloseable {

    /**
     * Begins to accept.
     *
     * @param socket        where connections come in; owned by the acceptor from now on
     * @param reactors      run, each in its thread, as long as connections are accepted
     * @param options       how they are accepted
     * @param conversations makes their conversations
     * @param open          those of a reactor, which have a connection among them while it is open
     * @throws IOException if it cannot
     */
    void accept(SocketAcceptor socket, List<Reactor> reactors, ListenOptions options,
                ConversationFactory conversations, Function<Dispatcher, Connections> open) throws IOException;

    /**
     * {@return the name of what connections are waited for with}
     *
     * @param ofReactors what the reactors wait with
     */
    default String demultiplexer(String ofReactors) {
        return ofReactors;
    }

    /**
     * {@return a few figures by name, in order, the first of which is {@code pool_threads}, how many there are; from
     * any thread, at a glance and not at one moment}
     *
     * @param connections how many are open
     */
    Map<String, Object> states(int connections);

    /**
     * Lets another thread wait for connections, where that is for the conversation to say: in a leader/followers pool
     * whose handlers {@linkplain dev.sluice.leaderfollowers.Promotion#BY_HANDLER promote}. Called in a turn, before
     * what takes longer than it takes to wake a thread, some microseconds; does nothing unless overridden.
     */
    default void beginLongStep() {
    }

    /**
     * Lets the threads finish what they have begun, for a few seconds. Called when the reactors are closed. What these
     * do not know to be open is cut before.
     */
    @Override
    default void close() {
    }
}
