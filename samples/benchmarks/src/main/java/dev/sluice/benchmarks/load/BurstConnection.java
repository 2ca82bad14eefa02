package dev.sluice.benchmarks.load;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.Registration;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A connection that sends a burst, waits for its acknowledgement, and begins again. */
final class BurstConnection implements EventHandler {

    /** Packets sent by a connection at a time: a larger number would let the first connections send most of them. */
    private static final int PACKETS_AT_ONCE = 16;

    private final SocketStream stream;
    private final int packet;
    private final Measurement measurement;
    private final BurstTally tally;
    private final ByteBuffer outgoing;
    private final ByteBuffer incoming = ByteBuffer.allocateDirect(BurstTally.ACKNOWLEDGEMENT);
    private final Registration registration;
    private int place;
    private long began = System.nanoTime();
    /** The acknowledgement that is waited for; null while a burst is being sent. */
    private ByteBuffer expected;
    /** The last one; null as long as it goes on. */
    private ByteBuffer last;
    private boolean isOver;
    private Throwable failure;

    /**
     * Begins.
     *
     * @param number      of the connection
     * @param stream      the caller owns it
     * @param reactor     tells when there is room, and what comes
     * @param load        says how large a packet is, and how many there are in a burst
     * @param pattern     of all connections
     * @param measurement counts
     * @throws IOException if the system refuses
     */
    @SuppressWarnings("this-escape") // It is complete.
    BurstConnection(int number, SocketStream stream, Reactor reactor, Load load, Pattern pattern,
            Measurement measurement) throws IOException {
        this.stream = stream;
        this.packet = load.size();
        this.measurement = measurement;
        tally = new BurstTally((long) load.size() * load.depth());
        outgoing = pattern.view();
        outgoing.limit(0);
        place = Pattern.begin(number);
        registration = reactor.register(stream.handle(), Interest.READ_WRITE, this);
    }

    @Override
    public void handleOutput(Registration ready) throws IOException {
        for (int i = 0; i < PACKETS_AT_ONCE && expected == null && last == null; i++) {
            if (!outgoing.hasRemaining()) {
                outgoing.limit(place + packet).position(place);
                place = Pattern.after(place, packet);
            }
            int from = outgoing.position();
            stream.send(outgoing);
            int limit = outgoing.limit();
            int to = outgoing.position();
            measurement.received(to - from);
            boolean isEnd = tally.take(outgoing.limit(to).position(from));
            outgoing.limit(limit);
            if (isEnd) {
                expected = tally.acknowledgement();
                registration.interest(Interest.READ);
            } else if (outgoing.hasRemaining()) {
                return;
            }
        }
    }

    @Override
    public void handleInput(Registration ready) throws IOException {
        int received = stream.receive(incoming);
        if (received == SocketStream.END_OF_STREAM) {
            if (!isOver) {
                throw new EOFException("the server has closed " + stream);
            }
            registration.close();
        } else if (!incoming.hasRemaining()) {
            acknowledged();
            incoming.clear();
        }
    }

    private void acknowledged() throws IOException {
        incoming.flip();
        boolean isOfBurst = expected != null;
        ByteBuffer right = isOfBurst ? expected : last;
        if (isOver || right == null || incoming.mismatch(right) >= 0) {
            throw new IOException("the server has acknowledged other bytes than were sent on " + stream);
        }
        expected = null;
        if (!isOfBurst) {
            isOver = true;
        } else if (last == null) {
            measurement.completed(System.nanoTime() - began);
            began = System.nanoTime();
            registration.interest(Interest.READ_WRITE);
        }
    }

    /** Sends no more, and waits for the last acknowledgement. */
    void end() throws IOException {
        last = tally.acknowledgement();
        registration.interest(Interest.READ);
        stream.shutdownOutput();
    }

    /** {@return whether the last acknowledgement has arrived and was correct} */
    boolean isOver() {
        return isOver;
    }

    /** {@return the failure; null if there is none} */
    Throwable failure() {
        return failure;
    }

    @Override
    public void handleFailure(Registration registration, Throwable cause) {
        failure = cause;
    }

    @Override
    public void handleClose(Registration registration) {
        // The socket is closed by its owner.
    }
}
