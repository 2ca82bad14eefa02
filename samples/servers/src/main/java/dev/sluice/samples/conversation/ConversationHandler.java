package dev.sluice.samples.conversation;

import dev.sluice.connection.ServiceHandler;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.Registration;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.util.function.Function;

/** A connection with its conversation. Subclasses choose the thread that continues it. */
abstract class ConversationHandler extends ServiceHandler implements Connections.Finishing {

    private final ConversationFactory conversations;
    private final Function<Dispatcher, Connections> open;
    private Connections connections;
    private Conversation conversation;
    private volatile boolean leaving;

    /**
     * For subclasses.
     *
     * @param conversations creates the conversation when the connection is established
     * @param open          the open connections of a reactor, to which this is added while it is open
     */
    ConversationHandler(ConversationFactory conversations, Function<Dispatcher, Connections> open) {
        this.conversations = conversations;
        this.open = open;
    }

    @Override
    protected final void open() throws IOException {
        connections = open.apply(dispatcher());
        conversation = conversations.begin(peer(), dispatcher());
        // First, since another thread may end it as soon as it has begun.
        connections.add(this);
        begin();
    }

    /**
     * Begins the conversation: arranges that the chosen thread continues it when something has been received.
     *
     * @throws IOException if it cannot
     */
    abstract void begin() throws IOException;

    /** Continues the conversation soon, whether or not its socket is ready. Called by the reactor's thread. */
    abstract void wake();

    final Conversation conversation() {
        return conversation;
    }

    /** Shuts down the input: received bytes can still be read, followed by the end of the stream. */
    @Override
    public final void finish() {
        if (conversation.finish()) {
            wake();
        } else {
            endInput();
        }
    }

    @Override
    public void move() {
        conversation.move();
        wake();
    }

    /** The conversation has asked to move: its end leaves the connection open. */
    final void beginLeaving() {
        leaving = true;
    }

    final boolean isLeaving() {
        return leaving;
    }

    /** The connection is not waited for any more: closes it, unless it moves. */
    final void closePeer() {
        if (!leaving) {
            peer().close();
        }
    }

    /** If it moves: neither a thread nor a loop uses it any more. */
    final void handOnIfLeaving() {
        if (leaving) {
            connections.handOn(peer());
        }
    }

    final void endInput() {
        try {
            peer().shutdownInput();
        } catch (IOException e) {
            // The peer has broken the connection, and the thread that serves it gets the same error.
            Failures.log(peer(), e);
        }
    }

    @Override
    public final boolean isLate(long now) {
        return conversation.isLate(now);
    }

    @Override
    public void expire() {
        wake();
    }

    @Override
    public final void handleFailure(Registration registration, Throwable cause) {
        Failures.log(peer(), cause);
    }

    /** Removes the connection from the open ones. For any thread; may be called more than once. */
    final void leave() {
        // Null if the conversation has not begun.
        if (connections != null) {
            connections.remove(this);
        }
    }

    /** Called after the last step. */
    final void endConversation() {
        if (conversation != null) {
            conversation.close();
        }
        leave();
    }
}
