package dev.sluice.demultiplexer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.handle.Handle;
import dev.sluice.handle.Pipe;
import dev.sluice.handle.SocketDatagram;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** One direction of a transport, from a sending to a receiving end. */
final class OneWayTransport implements Closeable {

    private static final int PIECE = 16 * 1024;

    private final Handle receiver;
    private final Transfer receive;
    private final Handle sender;
    private final Transfer send;

    /** Sends from or receives into a buffer. */
    private interface Transfer {
        int apply(ByteBuffer buffer) throws IOException;
    }

    private OneWayTransport(Handle receiver, Transfer receive, Handle sender, Transfer send) {
        this.receiver = receiver;
        this.receive = receive;
        this.sender = sender;
        this.send = send;
    }

    static OneWayTransport of(StreamPair pair) {
        return new OneWayTransport(pair.near().handle(), pair.near()::receive, pair.far().handle(), pair.far()::send);
    }

    static OneWayTransport of(Pipe pipe) {
        return new OneWayTransport(pipe.source(), pipe::receive, pipe.sink(),
                pipe::send);
    }

    static OneWayTransport udp() throws IOException {
        SocketDatagram near = SocketDatagram.open(StreamPair.loopback());
        SocketDatagram far = SocketDatagram.open(StreamPair.loopback());
        far.connect(near.localAddress());
        return new OneWayTransport(near.handle(), buffer -> Math.max(0, near.receive(buffer, null)), far.handle(),
                buffer -> far.send(buffer) ? 1 : 0);
    }

    Handle receiver() {
        return receiver;
    }

    Handle sender() {
        return sender;
    }

    /** Sends one byte. */
    void send() throws IOException {
        assertEquals(1, send.apply(ByteBuffer.allocate(1)), "bytes sent");
    }

    /** Sends until a send would block. */
    void fill() throws IOException {
        while (send.apply(ByteBuffer.allocate(PIECE)) > 0) {
            Thread.onSpinWait();
        }
    }

    /** {@return the number of bytes received, 0 if none are available, negative at the end of the stream} */
    int receive() throws IOException {
        return receive.apply(ByteBuffer.allocate(PIECE));
    }

    /** Receives until no bytes are available. Returns their number. */
    int drain() throws IOException {
        int sum = 0;
        int received = receive();
        while (received > 0) {
            sum += received;
            received = receive();
        }
        assertEquals(0, received, "end of the stream");
        return sum;
    }

    @Override
    public void close() {
        receiver.close();
        sender.close();
    }
}
