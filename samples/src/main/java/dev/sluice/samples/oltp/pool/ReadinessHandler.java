package dev.sluice.samples.oltp.pool;

import dev.sluice.connection.ServiceHandler;
import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SystemCallException;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes on with a conversation when its socket is ready, in a thread of the executor's choice; the handle is deactivated
 * until that thread is done.
 */
class ReadinessHandler extends ServiceHandler implements Connections.Finishing {

    private static final Logger LOG = LoggerFactory.getLogger(ReadinessHandler.class);

    private final Service service;
    private final Connections connections;
    private final Executor executor;
    private final Runnable turn = this::advance;
    private Conversation conversation;
    private int awaited = EventType.READ;
    private long readySince;

    ReadinessHandler(Service service, Connections connections, Executor executor) {
        this.service = service;
        this.connections = connections;
        this.executor = executor;
    }

    @Override
    protected void open() throws IOException {
        conversation = new Conversation(peer(), service);
        reactor().registerHandler(this, awaited);
        connections.add(this);
    }

    @Override
    public void handleInput(Handle handle) {
        readySince = System.nanoTime();
        reactor().deactivateHandle(handle);
        executor.execute(turn);
    }

    @Override
    public void handleOutput(Handle handle) {
        handleInput(handle);
    }

    private void advance() {
        Conversation.Next next;
        try {
            next = conversation.advance(readySince);
        } catch (IOException | RuntimeException e) {
            handleFailure(handle(), e);
            next = Conversation.Next.CLOSE;
        }
        switch (next) {
            case RECEIVE -> await(EventType.READ);
            // What can be sent at once also gives others their turn first.
            case SEND, ANOTHER_TURN -> await(EventType.WRITE);
            case CLOSE -> reactor().removeHandler(this);
        }
    }

    private void await(int events) {
        if (awaited != events) {
            awaited = events;
            reactor().changeEvents(handle(), events);
        }
        reactor().reactivateHandle(handle());
    }

    @Override
    public void finish() {
        endInput(this);
    }

    /** What has been received can still be, and then the end of the stream. */
    static void endInput(ServiceHandler handler) {
        try {
            handler.peer().shutdownInput();
        } catch (IOException e) {
            // The peer has broken the connection, and who serves it is told the same.
            LOG.debug("{}", handler.handle(), e);
        }
    }

    @Override
    public void handleFailure(Handle handle, Throwable cause) {
        logFailure(handle, cause);
    }

    static void logFailure(Handle handle, Throwable cause) {
        if (cause instanceof SystemCallException) {
            // Peers break connections all the time; it is news only to who looks for it.
            LOG.debug("{}", handle, cause);
        } else {
            LOG.warn("{}", handle, cause);
        }
    }

    @Override
    public void handleClose(Handle handle, int events) {
        handle.close();
        connections.remove(this);
    }
}
