package dev.sluice.samples.oltp.pool;

import dev.sluice.connection.ServiceHandler;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;

/** Goes on with a conversation in the thread that has found its socket ready, when that is not the leader any more. */
final class PooledConnection extends ServiceHandler implements Connections.Finishing {

    private final Service service;
    private final Connections connections;
    private final LeaderFollowersPool pool;
    private final Nesting nesting;
    private Conversation conversation;
    private int awaited = EventType.READ;
    /** By {@link System#nanoTime()}, while it is left for another thread or for later. */
    private long readySince;
    private boolean left;

    PooledConnection(Service service, Connections connections, LeaderFollowersPool pool, Nesting nesting) {
        this.service = service;
        this.connections = connections;
        this.pool = pool;
        this.nesting = nesting;
    }

    @Override
    protected void open() throws IOException {
        conversation = new Conversation(peer(), service);
        // First, since once it is registered another thread may end it.
        connections.add(this);
        pool.registerHandler(this, awaited);
    }

    @Override
    public void handleInput(Handle handle) throws IOException {
        if (!left) {
            readySince = System.nanoTime();
        }
        left = !nesting.begin(handle, left, readySince);
        if (!left) {
            try {
                advance();
            } finally {
                nesting.end();
            }
        }
    }

    @Override
    public void handleOutput(Handle handle) throws IOException {
        handleInput(handle);
    }

    private void advance() throws IOException {
        switch (conversation.advance(readySince)) {
            case RECEIVE -> await(EventType.READ);
            // What can be sent at once also gives others their turn first.
            case SEND, ANOTHER_TURN -> await(EventType.WRITE);
            case CLOSE -> pool.removeHandler(this);
        }
    }

    private void await(int events) {
        if (awaited != events) {
            awaited = events;
            pool.handleSet().changeEvents(handle(), events);
        }
    }

    @Override
    public void finish() {
        ReadinessHandler.endInput(this);
    }

    @Override
    public void handleFailure(Handle handle, Throwable cause) {
        ReadinessHandler.logFailure(handle, cause);
    }

    @Override
    public void handleClose(Handle handle, int events) {
        handle.close();
        nesting.resume();
        try {
            reactor().execute(() -> connections.remove(this));
        } catch (RejectedExecutionException e) {
            // The server has ended without this connection, and nobody counts any more.
            ReadinessHandler.logFailure(handle, e);
        }
    }
}
