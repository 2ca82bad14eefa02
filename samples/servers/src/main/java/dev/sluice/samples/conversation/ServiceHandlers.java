package dev.sluice.samples.conversation;

import dev.sluice.connection.Acceptor;
import dev.sluice.connection.ListenOptions;
import dev.sluice.connection.ServiceHandler;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

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

    @Override
    default Consumer<SocketStream> take(Arrivals arrivals, List<Reactor> reactors, ConversationFactory conversations,
            Function<Dispatcher, Connections> open) throws IOException {
        if (arrivals.socket() != null) {
            accept(arrivals.socket(), reactors, arrivals.options(), conversations, open);
        }
        Acceptor acceptor = closedAcceptor(reactors, () -> handler(conversations, open));
        return stream -> reactors.get(0).execute(() -> serve(acceptor, stream));
    }

    /** {@return an acceptor that does not listen, and serves what it is given} */
    static Acceptor closedAcceptor(List<? extends Dispatcher> dispatchers, Supplier<ServiceHandler> factory)
            throws IOException {
        SocketAcceptor unused = SocketAcceptor.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Acceptor acceptor = Acceptor.listen(dispatchers, unused, new ListenOptions(), factory);
        acceptor.close();
        return acceptor;
    }

    /** Gives a connection to an acceptor, and closes it if the acceptor cannot serve it. */
    static void serve(Acceptor acceptor, SocketStream stream) {
        if (!acceptor.serve(stream)) {
            stream.close();
        }
    }
}
