package dev.sluice.benchmarks.load;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Registration;
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
    private Registration registration;
    private boolean waitsForSpace;

    /**
     * Creates a sender.
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
        registration = run.reactor().register(stream.handle(), Interest.READ, this);
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
            registration.interest(wanted ? Interest.READ_WRITE : Interest.READ);
        }
    }

    @Override
    public void handleOutput(Registration registration) throws IOException {
        sendOneBuffer();
    }

    @Override
    public void handleInput(Registration registration) throws IOException {
        if (stream.receive(incoming.clear()) == SocketStream.END_OF_STREAM) {
            throw new EOFException("the router has closed " + stream);
        }
    }

    @Override
    public void handleFailure(Registration registration, Throwable cause) {
        run.failed(cause);
    }

    @Override
    public void handleClose(Registration registration) {
        // The socket is closed by its owner.
    }
}
