package dev.sluice.samples.conversation;

import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.samples.server.ConnectionLimit;
import java.io.IOException;

/** Creates the conversations of a server. */
@FunctionalInterface
public interface ConversationFactory {

    /**
     * Begins a conversation.
     *
     * @param stream  the connection, which the caller closes
     * @param dispatcher the dispatcher that has accepted it or got it; not always the one that waits for it
     * @return the conversation
     * @throws IOException if the connection is to be closed at once
     */
    Conversation begin(SocketStream stream, Dispatcher dispatcher) throws IOException;

    /**
     * {@return a factory that refuses connections beyond a limit}
     *
     * @param limit counts the connections
     */
    default ConversationFactory within(ConnectionLimit limit) {
        return (stream, dispatcher) -> {
            if (!limit.admits(stream)) {
                throw new RefusedConnectionException();
            }
            return begin(stream, dispatcher);
        };
    }
}
