package dev.sluice.samples.io;

import dev.sluice.handle.SocketAcceptor;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.server.ConnectionLimit;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.StopRequest;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The ports of a server besides the first, each with the threads and the demultiplexer of its own strategy. */
final class AdditionalListeners implements Closeable {

    /** One of the ports, whose socket may be closed at any time. */
    private record Port(int number, SocketAcceptor socket, Thread thread,
            CompletableFuture<Optional<PortPools.Other>> pool) {
    }

    private final StopRequest stop;
    private final List<Port> ports = new ArrayList<>();

    /**
     * Opens the ports.
     *
     * @param listeners say where and how
     * @param protocol  what is spoken at all of them
     * @param log       of the requests; null for none
     * @param options   of the first port
     * @param counts    how many threads there are to be in each pool at first
     * @param limit     of the connections at all ports
     * @param stop      ends them, and is notified if one fails
     * @throws IOException if the system refuses one of the ports
     */
    AdditionalListeners(List<OtherListener> listeners, Protocol protocol, AccessLog log, ServerOptions options,
            ThreadCounts counts, ConnectionLimit limit, StopRequest stop) throws IOException {
        this.stop = stop;
        try {
            for (OtherListener each : listeners) {
                ServerOptions own = options.at(each.port(), each.concurrency().mode(),
                        each.concurrency().isConcurrent() ? each.concurrency().toString() : null);
                ports.add(open(each, protocol, log, own, counts, limit));
            }
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    private Port open(OtherListener listener, Protocol protocol, AccessLog log, ServerOptions options,
            ThreadCounts counts, ConnectionLimit limit) throws IOException {
        SocketAcceptor socket = options.listen(SocketAcceptor.DEFAULT_BACKLOG);
        ConcurrencyStrategy concurrency = listener.concurrency();
        CompletableFuture<Optional<PortPools.Other>> pool = new CompletableFuture<>();
        StrategicProtocol served = new StrategicProtocol(protocol, log, listener.fileIo(), socket,
                SocketAcceptor.DEFAULT_BACKLOG, limit,
                threads -> pool.complete(listener.hasPool() ? Optional.of(new PortPools.Other(concurrency, threads))
                        : Optional.empty()));
        int threads = listener.hasPool() ? counts.other(concurrency) : concurrency.defaultThreads();
        int number = ((InetSocketAddress) socket.localAddress()).getPort();
        return new Port(number, socket, new Thread(() -> {
            serve(listener, served, options, threads);
            // There is none if it has failed before.
            pool.complete(Optional.empty());
        }, protocol.name() + "-listener-" + ports.size()), pool);
    }

    /** Begins to serve. */
    void start() {
        ports.forEach(port -> port.thread().start());
    }

    /** {@return the pools that serve, by their port} Waits until each port is served, or never will be. */
    Map<Integer, PortPools.Other> pools() {
        Map<Integer, PortPools.Other> pools = new LinkedHashMap<>();
        for (Port each : ports) {
            Optional<PortPools.Other> pool = each.pool().join();
            if (pool.isPresent()) {
                pools.put(each.number(), pool.get());
            }
        }
        return pools;
    }

    private void serve(OtherListener listener, StrategicProtocol protocol, ServerOptions options, int threads) {
        try {
            listener.concurrency().serve(protocol, options, threads, stop);
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            // Unless that is why it has ended.
            if (stop.failure() == null) {
                stop.fail(e);
            }
        }
    }

    /** Requests their end, if that has not been done, and waits until they have ended. */
    @Override
    public void close() {
        stop.request();
        boolean interrupted = false;
        for (Port each : ports) {
            try {
                each.thread().join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        ports.forEach(port -> port.socket().close());
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
