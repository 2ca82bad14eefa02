package dev.sluice.benchmarks.datagrams;

import dev.sluice.handle.DatagramSendBatch;
import dev.sluice.handle.SocketDatagram;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends datagrams as fast as one thread can, followed by end markers until one has arrived. Each datagram carries its
 * number at the beginning, and a value computed from it at the end.
 */
final class Burst implements Runnable {

    /** Number of datagrams. */
    static final int COUNT = 10_000;
    /** The number carried by end markers. */
    static final int END = COUNT;

    /** Number of datagrams that one call is given, where they are sent joined. */
    private static final int AT_A_TIME = 64;
    private static final long MIX = 0x9E3779B97F4A7C15L;
    private static final long PAUSE_NANOS = 100_000;

    private final int port;
    private final boolean joined;
    private final ByteBuffer datagram;
    private volatile boolean begun;
    private volatile boolean over;
    private volatile int sent;
    private volatile Exception failure;

    Burst(int port, int size, boolean joined) {
        this.port = port;
        this.joined = joined;
        this.datagram = ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
    }

    @Override
    public void run() {
        while (!begun) {
            Thread.onSpinWait();
        }
        try (SocketDatagram socket = SocketDatagram.unbound(StandardProtocolFamily.INET)) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            if (joined) {
                sendJoined(socket);
            } else {
                for (int number = 0; number < COUNT; number++) {
                    send(socket, number);
                }
            }
            while (!over) {
                send(socket, END);
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (IOException | RuntimeException e) {
            failure = e;
        }
    }

    private void send(SocketDatagram socket, int number) throws IOException {
        write(number);
        while (!socket.send(datagram)) {
            Thread.onSpinWait();
        }
        sent++;
    }

    private void sendJoined(SocketDatagram socket) throws IOException {
        try (DatagramSendBatch batch = new DatagramSendBatch(socket, AT_A_TIME, datagram.capacity())) {
            for (int number = 0; number < COUNT;) {
                while (number < COUNT && batch.add(write(number))) {
                    number++;
                }
                while (batch.count() > 0) {
                    sent += batch.send();
                }
            }
        }
    }

    private ByteBuffer write(int number) {
        return datagram.clear().putLong(0, number).putLong(datagram.capacity() - Long.BYTES, mixed(number));
    }

    /** {@return the value at the end of a datagram} */
    static long mixed(long number) {
        return (number + 1) * MIX;
    }

    void begin() {
        begun = true;
    }

    void end() {
        over = true;
    }

    /** {@return the number of datagrams sent, including end markers} */
    int sent() throws IOException {
        if (failure != null) {
            throw new IOException("the sender failed", failure);
        }
        return sent;
    }
}
