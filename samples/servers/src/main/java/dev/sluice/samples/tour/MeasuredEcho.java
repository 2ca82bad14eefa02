package dev.sluice.samples.tour;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An echo server with its clients, which one thread plays: each sends 64 bytes and waits until it has them back. */
final class MeasuredEcho implements MeasuredPeer {

    private static final int CLIENTS = 16;
    private static final int SIZE = 64;

    private final String name;
    private final Closeable server;
    private final List<SocketChannel> clients = new ArrayList<>();
    private final ByteBuffer message = ByteBuffer.allocateDirect(SIZE);

    /**
     * Connects the clients.
     *
     * @param server  closed with this, and if this throws
     * @param address the address it listens on
     */
    MeasuredEcho(String name, Closeable server, SocketAddress address) throws IOException {
        this.name = name;
        this.server = server;
        try {
            for (int i = 0; i < CLIENTS; i++) {
                SocketChannel client = SocketChannel.open(address);
                clients.add(client);
                client.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
        } catch (Throwable e) {
            try (server) {
                closeClients();
            }
            throw e;
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public double measure(long nanos) throws IOException {
        long begin = System.nanoTime();
        long messages = 0;
        long time;
        do {
            for (SocketChannel client : clients) {
                message.clear();
                while (message.hasRemaining()) {
                    client.write(message);
                }
            }
            for (SocketChannel client : clients) {
                message.clear();
                while (message.hasRemaining()) {
                    if (client.read(message) < 0) {
                        throw new EOFException(name + " has closed a connection");
                    }
                }
            }
            messages += CLIENTS;
            time = System.nanoTime() - begin;
        } while (time < nanos);
        return messages * (double) TimeUnit.SECONDS.toNanos(1) / time;
    }

    private void closeClients() throws IOException {
        for (SocketChannel client : clients) {
            client.close();
        }
    }

    @Override
    public void close() throws IOException {
        try (server) {
            closeClients();
        }
    }
}
