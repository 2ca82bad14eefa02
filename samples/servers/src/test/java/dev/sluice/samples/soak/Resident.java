package dev.sluice.samples.soak;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * Two bad clients that come before all others and stay for as long as they are let: one has said half of what it wants,
 * and the other asks for more than it ever takes. They must not cost more the longer they stay.
 */
final class Resident implements Closeable {

    private static final int SMALL = 4096;
    private static final int MAX_REQUESTS = 100_000;

    private final PlainClient halfWay;
    private final SocketChannel neverReading = SocketChannel.open();

    Resident(InetSocketAddress address, byte[] request) throws IOException {
        halfWay = new PlainClient(address);
        halfWay.send(request, 0, request.length / 2);
        neverReading.setOption(StandardSocketOptions.SO_RCVBUF, SMALL);
        neverReading.connect(address);
        neverReading.configureBlocking(false);
        for (int i = 0; i < MAX_REQUESTS && neverReading.write(ByteBuffer.wrap(request)) == request.length; i++) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() throws IOException {
        halfWay.close();
        neverReading.close();
    }
}
