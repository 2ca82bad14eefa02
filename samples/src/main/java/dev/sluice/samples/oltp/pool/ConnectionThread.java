package dev.sluice.samples.oltp.pool;

import dev.sluice.connection.ServiceHandler;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;

/** Serves a connection in a platform thread of its own, from its beginning to its end. */
final class ConnectionThread extends ServiceHandler implements Connections.Finishing {

    private final Service service;
    private final Connections connections;

    ConnectionThread(Service service, Connections connections) {
        this.service = service;
        this.connections = connections;
    }

    @Override
    protected void open() {
        Thread thread = new Thread(this::run, "connection " + peer());
        // One whose peer never reads must not hold up the end of the process.
        thread.setDaemon(true);
        connections.add(this);
        thread.start();
    }

    private void run() {
        try (var connection = peer()) {
            new Conversation(connection, service).finish();
        } catch (IOException | RuntimeException e) {
            ReadinessHandler.logFailure(handle(), e);
        }
        try {
            reactor().execute(() -> connections.remove(this));
        } catch (RejectedExecutionException e) {
            // The server has ended without this connection, and nobody counts any more.
            ReadinessHandler.logFailure(handle(), e);
        }
    }

    @Override
    public void finish() {
        ReadinessHandler.endInput(this);
    }
}
