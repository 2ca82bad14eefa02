package dev.sluice.benchmarks.load;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** What one connection has sent, and what of that has come back. */
final class Exchange implements RequestTask {

    private final int connection;
    private final int size;
    private final Measurement measurement;
    private final ByteBuffer outgoing;
    private final ByteBuffer expected;
    private final long[] sentAt;
    private int sendPlace;
    private int receivePlace;
    private int sentSlot;
    private int receivedSlot;
    /** Bytes of the message that is coming in. */
    private int partial;
    private int inFlight;

    /**
     * Creates an exchange that has sent nothing.
     *
     * @param connection  its number
     * @param load        says how much
     * @param pattern     of all connections
     * @param measurement takes the latencies
     */
    Exchange(int connection, Load load, Pattern pattern, Measurement measurement) {
        this.connection = connection;
        this.size = load.size();
        this.measurement = measurement;
        this.sentAt = new long[load.depth()];
        outgoing = pattern.view();
        outgoing.limit(0);
        expected = pattern.view();
        sendPlace = Pattern.begin(connection);
        receivePlace = sendPlace;
    }

    /** {@return whether there is nothing to send: as many messages are in flight as may be, or it is over} */
    boolean isFull() {
        return inFlight == sentAt.length || measurement.isOver();
    }

    /** {@return whether all that was sent has come back} */
    @Override
    public boolean isComplete() {
        return inFlight == 0;
    }

    /** {@return as many messages as may be in flight beside those that are, to be sent now} */
    ByteBuffer next() {
        int count = sentAt.length - inFlight;
        long now = System.nanoTime();
        for (int i = 0; i < count; i++) {
            sentAt[sentSlot] = now;
            sentSlot = sentSlot + 1 == sentAt.length ? 0 : sentSlot + 1;
        }
        inFlight += count;
        outgoing.limit(sendPlace + count * size).position(sendPlace);
        sendPlace = Pattern.after(sendPlace, count * size);
        return outgoing;
    }

    /** {@return what {@link #next} returned and has not been sent yet} */
    @Override
    public ByteBuffer unsent() {
        return outgoing;
    }

    /**
     * Takes what has come back.
     *
     * @param bytes from position to limit; not more in one piece than the pattern has
     * @throws IOException if they are not what was sent
     */
    @Override
    public void received(ByteBuffer bytes) throws IOException {
        int count = bytes.remaining();
        measurement.received(count);
        expected.limit(receivePlace + count).position(receivePlace);
        int wrong = bytes.mismatch(expected);
        if (wrong >= 0) {
            throw new IOException("connection " + connection + " got a wrong byte: " + wrong + " of a piece of " + count
                    + " bytes, after " + partial + " bytes of a message of " + size);
        }
        receivePlace = Pattern.after(receivePlace, count);
        partial += count;
        if (partial >= size) {
            complete();
        }
    }

    @Override
    public void ended() throws EOFException {
        throw new EOFException("the server has closed connection " + connection + " before it replied");
    }

    private void complete() throws IOException {
        long now = System.nanoTime();
        while (partial >= size) {
            if (inFlight == 0) {
                throw new IOException("connection " + connection + " got more than it had sent");
            }
            inFlight--;
            partial -= size;
            measurement.completed(now - sentAt[receivedSlot]);
            receivedSlot = receivedSlot + 1 == sentAt.length ? 0 : receivedSlot + 1;
        }
    }
}
