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

/** Threads whose connections are accepted by the first reactor and handed out to all of them. */
interface ServiceHandlers extends ConnectionThreads {

    /**
     * Makes the service handler of a new connection.
     *
     * @param conversations makes its conversation
     * @param open          those of a reactor, which have it among them while it is open
     */
    ServiceHandler handler(ConversationFactory conversations, Function<Dispatcher, Connections> open);

    @Override
    default void accept(SocketAcceptor socket, List<Reactor> reactors, ListenOptions options,
                        ConversationFactory conversations, Function<Dispatcher, Connections> open) throws IOException {
        Acceptor.listen(reactors, socket, options, () -> handler(conversations, open));
    }
}
