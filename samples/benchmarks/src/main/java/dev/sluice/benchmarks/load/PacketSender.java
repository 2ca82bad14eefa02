package dev.sluice.benchmarks.load;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.EventHandler;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The peer that sends. It discards the router's answers to its pings. */
final class PacketSender implements EventHandler {

    private static final int BUFFER_SIZE = 64 * 1024;

    private final SocketStream stream;
    private final PacketsRun run;
    private final ByteBuffer outgoing = ByteBuffer.allocateDirect(BUFFER_SIZE).limit(0);
    private final ByteBuffer incoming = ByteBuffer.allocateDirect(BUFFER_SIZE);
    private boolean waitsForSpace;

    /**
     * Makes one.
     *
     * @param stream has greeted; the caller owns it
     * @param run    says what is to be sent, and when
     */
    PacketSender(SocketStream stream, PacketsRun run) {
        this.stream = stream;
        this.run = run;
    }

    /** Begins to listen. */
    void begin() throws IOException {
        run.reactor().registerHandler(this, EventType.READ);
    }

    /** Sends what is due, unless it does so as soon as there is room. */
    void send() throws IOException {
        if (!waitsForSpace) {
            sendOneBuffer();
        }
    }

    /** No more at once, or those who receive would have to wait for their turn. */
    private void sendOneBuffer() throws IOException {
        if (outgoing.hasRemaining() || fill()) {
            stream.send(outgoing);
        }
        waitForSpace(outgoing.hasRemaining() || run.isDue());
    }

    private boolean fill() {
        outgoing.clear();
        while (outgoing.remaining() >= run.format().longest() && run.isDue()) {
            run.format().write(run.next(), outgoing);
        }
        outgoing.flip();
        return outgoing.hasRemaining();
    }

    private void waitForSpace(boolean wanted) {
        if (waitsForSpace != wanted) {
            waitsForSpace = wanted;
            run.reactor().changeEvents(handle(), wanted ? EventType.READ | EventType.WRITE : EventType.READ);
        }
    }

    @Override
    public Handle handle() {
        return stream.handle();
    }

    @Override
    public void handleOutput(Handle handle) throws IOException {
        sendOneBuffer();
    }

    @Override
    public void handleInput(Handle handle) throws IOException {
        if (stream.receive(incoming.clear()) == SocketStream.END_OF_STREAM) {
            throw new EOFException("the router has closed " + stream);
        }
    }

    @Override
    public void handleFailure(Handle handle, Throwable cause) {
        run.failed(cause);
    }

    @Override
    public void handleClose(Handle handle, int events) {
        // The socket is closed by its owner.
    }
}
