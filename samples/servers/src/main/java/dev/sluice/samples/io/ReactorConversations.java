package dev.sluice.samples.io;

import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Dispatcher;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.conversation.Conversation;
import dev.sluice.samples.conversation.ConversationFactory;
import dev.sluice.samples.server.Connections;
import java.io.IOException;

/** Creates the conversations of a protocol on the connections of one reactor. */
public final class ReactorConversations implements ConversationFactory {

    private final ConversationLoop loop;

    /**
     * For the connections of a reactor. Looks over their deadlines from now on.
     *
     * @param protocol    is spoken
     * @param connections those that are open
     * @param reactor     waits for them
     */
    public ReactorConversations(Protocol protocol, Connections connections, Reactor reactor) {
        this(protocol, null, null, connections, reactor);
    }

    /** The log may be null, and so may the way of files, if the protocol says it. */
    ReactorConversations(Protocol protocol, AccessLog log, FileIo fileIo, Connections connections, Reactor reactor) {
        loop = new ConversationLoop(protocol, log, fileIo, connections, reactor);
    }

    @Override
    public Conversation begin(SocketStream stream, Dispatcher dispatcher) throws IOException {
        return new ProtocolConversation(loop, stream);
    }
}
