package dev.sluice.samples.conversation;

import dev.sluice.connection.Acceptor;
import dev.sluice.connection.ListenOptions;
import dev.sluice.connection.ServiceHandler;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;

/** Threads whose connections the first reactor accepts and distributes among all reactors. */
interface ServiceHandlers extends ConnectionThreads {

    /**
     * Creates the service handler of a new connection.
     *
     * @param conversations creates its conversation
     * @param open          the open connections of a reactor, to which it is added while it is open
     */
    ServiceHandler handler(ConversationFactory conversations, Function<Dispatcher, Connections> open);

    @Override
    default void accept(SocketAcceptor socket, List<Reactor> reactors, ListenOptions options,
                        ConversationFactory conversations, Function<Dispatcher, Connections> open) throws IOException {
        Acceptor.listen(reactors, socket, options, () -> handler(conversations, open));
    }
}
