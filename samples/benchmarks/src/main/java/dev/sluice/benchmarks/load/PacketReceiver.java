package dev.sluice.benchmarks.load;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.EventHandler;
import dev.sluice.reactor.Registration;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;

/** A peer that takes what the router sends, and knows what is missing. */
final class PacketReceiver implements EventHandler {

    private static final int BUFFER_SIZE = 256 * 1024;

    private final SocketStream stream;
    private final PacketsRun run;
    private final ByteBuffer incoming = ByteBuffer.allocateDirect(BUFFER_SIZE);
    private final BitSet got = new BitSet();
    private long count;

    /**
     * Creates a receiver.
     *
     * @param stream has greeted; the caller owns it
     * @param run    says what is right, and takes times
     */
    PacketReceiver(SocketStream stream, PacketsRun run) {
        this.stream = stream;
        this.run = run;
    }

    /** Begins to take. */
    void begin() throws IOException {
        run.reactor().register(stream.handle(), Interest.READ, this);
    }

    @Override
    public void handleInput(Registration registration) throws IOException {
        int received = stream.receive(incoming);
        if (received == SocketStream.END_OF_STREAM) {
            throw new EOFException("the router has closed " + stream);
        }
        incoming.flip();
        long now = System.nanoTime();
        int size = PacketFormat.length(incoming);
        while (size > 0 && incoming.remaining() >= size) {
            take(size, now);
            incoming.position(incoming.position() + size);
            size = PacketFormat.length(incoming);
        }
        incoming.compact();
    }

    private void take(int size, long now) throws IOException {
        long number = run.format().number(incoming, size);
        if (number >= 0) {
            if (number >= run.sent() || got.get((int) number)) {
                throw new IOException("packet " + number + " has come once more than it was sent");
            }
            got.set((int) number);
            count++;
            run.came(number, now);
        }
    }

    /** {@return how many have come} */
    long count() {
        return count;
    }

    /** {@return how many have come, of the numbers from one to below another} */
    long came(long from, long to) {
        return got.get((int) from, (int) to).cardinality();
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
