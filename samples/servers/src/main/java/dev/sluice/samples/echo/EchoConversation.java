package dev.sluice.samples.echo;

import dev.sluice.handle.SocketStream;
import dev.sluice.samples.conversation.Conversation;
import dev.sluice.samples.conversation.KernelWait;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Echoes one connection. It receives only when everything received before has been sent, so a peer that never reads
 * costs one buffer.
 */
final class EchoConversation implements Conversation {

    /** Number of buffers received consecutively before other connections are served. */
    private static final int FAIR_SHARE = 128;

    private final SocketStream stream;
    private final SharedBuffers buffers;
    /** The bytes that the peer has not taken yet; null in the usual case that it takes everything immediately. */
    private ByteBuffer pending;
    private volatile boolean finishing;
    /** Whether this thread has noticed that. */
    private boolean ends;
    /** Whether bytes were still in flight, in either direction, when the stop was requested. */
    private boolean wasBusy;
    /** Whether the end of the echo has been sent, and only the peer's own end is waited for. */
    private boolean lingering;

    EchoConversation(SocketStream stream, SharedBuffers buffers) {
        this.stream = stream;
        this.buffers = buffers;
    }

    @Override
    public Next advance(long since) throws IOException {
        if (finishing && !ends) {
            ends = true;
            wasBusy = pending != null;
        }
        if (pending != null) {
            stream.send(pending);
            if (pending.hasRemaining()) {
                return Next.SEND;
            }
            dropPending();
        }
        ByteBuffer buffer = buffers.take();
        try {
            return lingering ? discard(buffer) : echo(buffer);
        } finally {
            if (pending != buffer) {
                buffers.release(buffer);
            }
        }
    }

    private Next echo(ByteBuffer buffer) throws IOException {
        for (int iteration = 0; iteration < FAIR_SHARE; iteration++) {
            int received = stream.receive(buffer.clear());
            if (received == SocketStream.END_OF_STREAM) {
                return Next.CLOSE;
            }
            if (received == 0) {
                return ends ? endOutput() : Next.RECEIVE;
            }
            wasBusy |= ends;
            // Directly, without waiting for readiness: the socket's buffer nearly always has space.
            stream.send(buffer.flip());
            if (buffer.hasRemaining()) {
                // Kept with its remaining bytes, and the other connections use another one: so nothing is copied.
                pending = buffer;
                return Next.SEND;
            }
            // A buffer that was not filled has emptied the socket; another look would cost a call for nothing.
            if (received < buffer.capacity() && !ends) {
                return Next.RECEIVE;
            }
        }
        return Next.ANOTHER_QUANTUM;
    }

    /**
     * A close while bytes of the peer are in flight resets the connection, and what the peer has not read of its echo
     * is lost (RFC 1122, section 4.2.2.13). So the output is shut down, and a peer that may have something to read
     * closes first.
     */
    private Next endOutput() throws IOException {
        if (!wasBusy) {
            return Next.CLOSE;
        }
        stream.shutdownOutput();
        lingering = true;
        return Next.RECEIVE;
    }

    private Next discard(ByteBuffer buffer) throws IOException {
        for (int iteration = 0; iteration < FAIR_SHARE; iteration++) {
            int received = stream.receive(buffer.clear());
            if (received <= 0) {
                return received == 0 ? Next.RECEIVE : Next.CLOSE;
            }
        }
        return Next.ANOTHER_QUANTUM;
    }

    private void dropPending() {
        buffers.release(pending);
        pending = null;
    }

    @Override
    public boolean await(Next next) throws IOException {
        if (next == Next.SEND) {
            KernelWait.send(stream, pending);
            return true;
        }
        ByteBuffer buffer = buffers.take();
        boolean received = false;
        try {
            received = KernelWait.receive(stream, buffer);
        } finally {
            if (received && !lingering) {
                pending = buffer.flip();
            } else {
                buffers.release(buffer);
            }
        }
        return received;
    }

    @Override
    public boolean finish() {
        finishing = true;
        return true;
    }

    @Override
    public void close() {
        if (pending != null) {
            dropPending();
        }
    }
}
