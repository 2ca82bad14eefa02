package dev.sluice.campaign.faults;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** A server beyond the library, that sends back what it receives, whenever it is its turn. */
final class FarServer implements Closeable {

    private final ServerSocketChannel listener;
    private final List<SocketChannel> connections = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(4096);

    FarServer() throws IOException {
        listener = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        listener.configureBlocking(false);
    }

    SocketAddress address() throws IOException {
        return listener.getLocalAddress();
    }

    void runIteration() throws IOException {
        SocketChannel accepted = listener.accept();
        if (accepted != null) {
            accepted.configureBlocking(false);
            connections.add(accepted);
        }
        for (SocketChannel connection : List.copyOf(connections)) {
            try {
                int count;
                while ((count = connection.read(buffer.clear())) > 0) {
                    connection.write(buffer.flip());
                }
                if (count < 0) {
                    forget(connection);
                }
            } catch (IOException e) {
                forget(connection);
            }
        }
    }

    private void forget(SocketChannel connection) throws IOException {
        connections.remove(connection);
        connection.close();
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel connection : connections) {
            connection.close();
        }
        listener.close();
    }
}
