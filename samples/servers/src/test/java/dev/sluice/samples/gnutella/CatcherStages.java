package dev.sluice.samples.gnutella;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.sluice.proactor.ProactorGroup;
import dev.sluice.samples.Patience;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.io.AsyncConnection;
import dev.sluice.stages.io.SocketOptions;
import dev.sluice.stages.io.SocketStages;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** A catcher that keeps one connection, and stages that do nothing with what it brings. */
final class CatcherStages implements AutoCloseable {

    private static final int CONNECTIONS = 8;

    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final ProactorGroup loop;
    private final StageGraph graph = new StageGraph("catcher");
    private final SocketStages sockets;
    private final Peers peers;
    private final Stage<Object> catcher;

    CatcherStages(Duration tolerance, InetSocketAddress... given) throws IOException {
        loop = ProactorGroup.open(1);
        loop.onFailure(failure::set);
        loop.start();
        Settings settings = new Settings(new InetSocketAddress("127.0.0.1", 0), List.of(given), 1, 1, 1, 1024, 1,
                Duration.ZERO, OverloadPolicy.THROTTLE, 1, false, Patience.LIMIT, Duration.ofHours(1), tolerance,
                Duration.ofHours(1));
        peers = new Peers(CONNECTIONS, settings);
        sockets = new SocketStages(graph, "catcher", loop.loops().get(0), new SocketOptions().connections(CONNECTIONS));
        Stage<Object> server = graph.add(GnutellaServer.NAME, Object.class, CatcherStages::discard);
        graph.add(GnutellaRouter.NAME, RouterEvent.class, CatcherStages::discard);
        GnutellaCatcher handler = new GnutellaCatcher(peers, new HostCache(), settings, host -> false, sockets,
                server.queue());
        catcher = graph.add(GnutellaCatcher.NAME, Object.class, handler);
        handler.setQueue(catcher.queue());
        graph.start();
    }

    private static <E> void discard(EventBatch<E> batch) {
        E event = batch.next();
        while (event != null) {
            event = batch.next();
        }
    }

    Peers peers() {
        return peers;
    }

    /** {@return the number of connections, or are being made} */
    int connections() {
        return sockets.connections();
    }

    void deliver(Object event) throws Exception {
        long before = catcher.handled();
        assertEquals(EnqueueResult.ACCEPTED, catcher.queue().enqueue(event));
        Patience.until("it has handled the event", () -> catcher.handled() > before);
    }

    /** Closes a connection as the server does, which notifies the catcher afterwards. */
    void lose() {
        AsyncConnection connection = peers.all().iterator().next().connection();
        peers.remove(connection);
        connection.close();
    }

    @Override
    public void close() throws Exception {
        graph.close();
        loop.close();
        assertNull(failure.get());
    }
}
