package dev.sluice.campaign.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;

/** A connection to a {@link ScarceServer}. */
final class ScarceClient implements Closeable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Socket socket = new Socket();
    private long count;

    ScarceClient(int port) throws IOException {
        try {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), (int) PATIENCE.toMillis());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Gives an order.
     *
     * @return whether it has been answered; false if the connection has ended
     */
    boolean order(Order order, int argument) {
        byte[] message = order.message(argument, ++count);
        byte[] answer = new byte[message.length];
        try {
            socket.getOutputStream().write(message);
            new DataInputStream(socket.getInputStream()).readFully(answer);
        } catch (SocketTimeoutException e) {
            throw new AssertionError("an order is neither answered nor refused: " + order, e);
        } catch (IOException e) {
            return false;
        }
        assertEquals(ByteBuffer.wrap(message), ByteBuffer.wrap(answer), order::name);
        return true;
    }

    boolean echo() {
        return order(Order.ECHO, 0);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
