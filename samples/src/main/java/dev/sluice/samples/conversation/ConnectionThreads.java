package dev.sluice.samples.conversation;

import dev.sluice.connection.ServiceHandler;
import dev.sluice.samples.server.Connections;

/** A concurrency model: the threads that go on with the connections that a reactor accepts. */
public interface ConnectionThreads extends AutoCloseable {

    /**
     * Makes the service handler of a new connection.
     *
     * @param conversations makes its conversation
     * @param connections   has it among them while it is open
     * @return the handler, for an {@link dev.sluice.connection.Acceptor}
     */
    ServiceHandler handler(ConversationFactory conversations, Connections connections);

    /**
     * Lets the threads finish what they have begun, for a few seconds. Called when the reactor is closed. What the
     * reactor does not know to be open is cut before.
     */
    @Override
    void close();
}
