package dev.sluice.samples.conversation;

import dev.sluice.connection.ServiceHandler;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SystemCallException;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection with its conversation. Subclasses choose the thread that goes on with it. */
public abstract class ConversationHandler extends ServiceHandler implements Connections.Finishing {

    private static final Logger LOG = LoggerFactory.getLogger(ConversationHandler.class);

    private final ConversationFactory conversations;
    private final Connections connections;
    private Conversation conversation;

    /**
     * For subclasses.
     *
     * @param conversations makes the conversation when the connection stands
     * @param connections   has this among them while it is open
     */
    protected ConversationHandler(ConversationFactory conversations, Connections connections) {
        this.conversations = conversations;
        this.connections = connections;
    }

    @Override
    protected final void open() throws IOException {
        conversation = conversations.begin(peer());
        // First, since another thread may end it as soon as it has begun.
        connections.add(this);
        begin();
    }

    /**
     * The conversation begins: has it go on when something has been received, in the thread that is to.
     *
     * @throws IOException if it cannot
     */
    protected abstract void begin() throws IOException;

    /** {@return the conversation} */
    protected final Conversation conversation() {
        return conversation;
    }

    /** What has been received can still be, and then the end of the stream. */
    @Override
    public final void finish() {
        try {
            peer().shutdownInput();
        } catch (IOException e) {
            // The peer has broken the connection, and who serves it is told the same.
            LOG.debug("{}", peer(), e);
        }
    }

    @Override
    public final void handleFailure(Handle handle, Throwable cause) {
        if (cause instanceof SystemCallException || cause instanceof HandleClosedException) {
            // Peers break connections all the time, and so does the end of the server: news only to who looks for it.
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

    /** Takes the connection from the open ones. From any thread; the loop thread does it. */
    protected final void leave() {
        try {
            reactor().execute(() -> connections.remove(this));
        } catch (RejectedExecutionException e) {
            // The server has ended without this connection, and nobody counts any more.
            LOG.debug("{}", peer(), e);
        }
    }
}
