package dev.sluice.samples.conversation;

import dev.sluice.samples.server.Connections;
import java.io.IOException;

/** Waits in the kernel. For platform threads. */
final class KernelConnection extends ThreadedConnection {

    KernelConnection(ConversationFactory conversations, Connections connections, ThreadPerConnection threads) {
        super(conversations, connections, threads);
    }

    @Override
    boolean awaitSocket(Conversation.Next next) throws IOException {
        return conversation().await(next);
    }
}
