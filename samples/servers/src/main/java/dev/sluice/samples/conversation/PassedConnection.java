package dev.sluice.samples.conversation;

import dev.sluice.connection.ServiceHandler;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Registration;
import java.util.function.Consumer;

/** A connection that is accepted here, and given away at once. */
final class PassedConnection extends ServiceHandler {

    private final Consumer<SocketStream> next;

    PassedConnection(Consumer<SocketStream> next) {
        this.next = next;
    }

    @Override
    protected Registration register() {
        return null;
    }

    @Override
    protected void open() {
        next.accept(peer());
    }

    @Override
    public void handleInput(Registration ready) {
        throw new AssertionError("it is not registered");
    }
}
