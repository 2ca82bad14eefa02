package dev.sluice.samples.conversation;

import dev.sluice.handle.SocketStream;
import dev.sluice.samples.server.Connections;
import java.io.IOException;

/** A connection that a thread of a {@link ThreadPool} serves to its end. */
final class PoolThreadConnection implements Connections.Finishing {

    private final SocketStream stream;
    private final Conversation conversation;

    PoolThreadConnection(SocketStream stream, Conversation conversation) {
        this.stream = stream;
        this.conversation = conversation;
    }

    /** Returns whether the connection moves; if not, it has been closed. */
    boolean converse() throws IOException {
        return Dialogue.converse(stream, conversation, conversation::await);
    }

    /** From any thread. */
    @Override
    public void finish() {
        conversation.finish();
        try {
            // Also what wakes a thread that waits in poll(2) to receive.
            stream.shutdownInput();
        } catch (IOException e) {
            Failures.log(stream, e);
        }
    }

    /** Its thread sees this before it waits for the next request. */
    @Override
    public void move() {
        conversation.move();
    }

    /** From any thread. */
    void cut() {
        stream.close();
    }

    void close() {
        conversation.close();
    }
}
