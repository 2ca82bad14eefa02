package dev.sluice.samples.oltp.pool;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import dev.sluice.samples.conversation.ConversationFactory;
import dev.sluice.samples.conversation.ConversationHandler;
import dev.sluice.samples.server.Connections;
import java.io.IOException;

/** Goes on with a conversation in the thread that has found its socket ready, when that is not the leader any more. */
final class PooledConnection extends ConversationHandler {

    private final LeaderFollowersPool pool;
    private final Nesting nesting;
    private int awaited = EventType.READ;
    /** By {@link System#nanoTime()}, while it is left for another thread or for later. */
    private long readySince;
    private boolean left;

    PooledConnection(ConversationFactory conversations, Connections connections, LeaderFollowersPool pool,
                     Nesting nesting) {
        super(conversations, connections);
        this.pool = pool;
        this.nesting = nesting;
    }

    @Override
    protected void begin() throws IOException {
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
        switch (conversation().advance(readySince)) {
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
    public void handleClose(Handle handle, int events) {
        handle.close();
        nesting.resume();
        leave();
    }
}
