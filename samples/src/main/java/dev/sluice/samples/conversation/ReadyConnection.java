package dev.sluice.samples.conversation;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.util.concurrent.Executor;

/**
 * Goes on with a conversation when its socket is ready, in a thread of the executor's choice; the handle is deactivated
 * until that thread is done.
 */
public final class ReadyConnection extends ConversationHandler {

    private final Executor executor;
    private final Runnable turn = this::advance;
    private int awaited = EventType.READ;
    private long readySince;

    /**
     * Makes the handler of a connection.
     *
     * @param conversations makes the conversation
     * @param connections   has this among them while it is open
     * @param executor      runs each turn; by {@code Runnable::run} the loop thread does
     */
    public ReadyConnection(ConversationFactory conversations, Connections connections, Executor executor) {
        super(conversations, connections);
        this.executor = executor;
    }

    @Override
    protected void begin() throws IOException {
        reactor().registerHandler(this, awaited);
    }

    @Override
    public void handleInput(Handle handle) throws IOException {
        readySince = System.nanoTime();
        if (conversation().prepare()) {
            reactor().deactivateHandle(handle);
            executor.execute(turn);
        }
    }

    @Override
    public void handleOutput(Handle handle) throws IOException {
        handleInput(handle);
    }

    private void advance() {
        Conversation.Next next;
        try {
            next = conversation().advance(readySince);
        } catch (Throwable e) {
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
}
