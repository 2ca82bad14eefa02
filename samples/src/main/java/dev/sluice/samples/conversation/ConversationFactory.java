package dev.sluice.samples.conversation;

import dev.sluice.handle.SocketStream;
import java.io.IOException;

/** Makes the conversations of a server. */
@FunctionalInterface
public interface ConversationFactory {

    /**
     * Begins a conversation.
     *
     * @param stream the connection, which somebody else closes
     * @return the conversation
     * @throws IOException if the connection is to be closed at once
     */
    Conversation begin(SocketStream stream) throws IOException;
}
