package dev.sluice.samples.server;

import dev.sluice.connection.Acceptor;
import dev.sluice.connection.Distribution;
import dev.sluice.connection.ServiceHandler;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Dispatcher;
import java.util.List;
import java.util.function.Supplier;

/** An acceptor that refuses connections beyond a limit. */
public final class BoundedAcceptor extends Acceptor {

    private final ConnectionLimit limit;

    /**
     * Makes an acceptor for one dispatcher.
     *
     * @param dispatcher to accept on, and for the connections
     * @param socket     where connections come in
     * @param limit      counts the connections
     * @param factory    makes the handler of each
     */
    public BoundedAcceptor(Dispatcher dispatcher, SocketAcceptor socket, ConnectionLimit limit,
                           Supplier<? extends ServiceHandler> factory) {
        this(dispatcher, socket, List.of(dispatcher), limit, factory);
    }

    /**
     * Makes an acceptor.
     *
     * @param dispatcher  to accept on
     * @param socket      where connections come in
     * @param dispatchers of the connections
     * @param limit       counts the connections
     * @param factory     makes the handler of each
     */
    public BoundedAcceptor(Dispatcher dispatcher, SocketAcceptor socket, List<? extends Dispatcher> dispatchers,
                           ConnectionLimit limit, Supplier<? extends ServiceHandler> factory) {
        super(dispatcher, socket, dispatchers, Distribution.roundRobin(), factory);
        this.limit = limit;
    }

    @Override
    protected void activateServiceHandler(SocketStream stream, ServiceHandler handler) {
        if (limit.admits(stream)) {
            super.activateServiceHandler(stream, handler);
        } else {
            stream.close();
        }
    }
}
