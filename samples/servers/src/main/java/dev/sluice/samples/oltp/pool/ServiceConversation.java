package dev.sluice.samples.oltp.pool;

import dev.sluice.calls.Bindings;
import dev.sluice.handle.SocketStream;
import dev.sluice.samples.conversation.Conversation;
import dev.sluice.samples.conversation.KernelWait;
import dev.sluice.samples.oltp.resp.ReplyBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Moves octets between a socket and its service. It receives nothing while replies are unsent, so a client that asks
 * and never reads costs the two buffers and no more.
 */
final class ServiceConversation implements Conversation {

    private static final int RECEIVE_SIZE = 8 * 1024;
    /** How much a client may still send after its last reply; see {@link #discard}. */
    private static final int MAX_DISCARDED = 1 << 20;

    private final SocketStream stream;
    private final Service service;
    private final ReplyBuffer replies = new ReplyBuffer();
    private final ByteBuffer received = Bindings.current().memory().allocateBuffer(RECEIVE_SIZE).limit(0);
    private final Quantum quantum = new Quantum();
    private Next last = Next.RECEIVE;
    private boolean over;
    private int discarded;

    ServiceConversation(SocketStream stream, Service service) {
        this.stream = stream;
        this.service = service;
    }

    @Override
    public Next advance(long since) throws IOException {
        if (last != Next.ANOTHER_QUANTUM) {
            quantum.waitsSince(since);
        }
        quantum.begin();
        last = runQuantum();
        return last;
    }

    private Next runQuantum() throws IOException {
        if (over) {
            return discard();
        }
        if (!received.hasRemaining() && replies.size() == 0) {
            int count = receive();
            if (count <= 0) {
                return count == 0 ? Next.RECEIVE : Next.CLOSE;
            }
        }
        return answer();
    }

    private int receive() throws IOException {
        received.clear();
        try {
            return stream.receive(received);
        } finally {
            received.flip();
        }
    }

    private Next answer() throws IOException {
        while (true) {
            stream.send(replies.pending());
            if (replies.size() > 0) {
                return Next.SEND;
            }
            if (service.isOver()) {
                over = true;
                stream.shutdownOutput();
                return discard();
            }
            if (!received.hasRemaining()) {
                return Next.RECEIVE;
            }
            if (quantum.isLong()) {
                return Next.ANOTHER_QUANTUM;
            }
            service.serve(received, quantum, replies);
        }
    }

    /** A socket that is closed with octets unread sends a reset, which can destroy the last reply on its way. */
    private Next discard() throws IOException {
        int count = receive();
        while (count > 0 && discarded < MAX_DISCARDED) {
            discarded += count;
            count = receive();
        }
        return count == 0 ? Next.RECEIVE : Next.CLOSE;
    }

    @Override
    public boolean await(Next next) throws IOException {
        if (next == Next.SEND) {
            KernelWait.send(stream, replies.pending());
            return true;
        }
        received.clear();
        try {
            return KernelWait.receive(stream, received);
        } finally {
            received.flip();
        }
    }
}
