package dev.sluice.samples.soak;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What a bad client does on one connection. Whether it gets a reply is no matter; that others do, is. */
enum Hostility {

    /** Breaks the connection in the midst of a request. */
    RESET {
        @Override
        void attack(InetSocketAddress address, byte[] request, Random random) throws IOException {
            try (PlainClient client = new PlainClient(address)) {
                client.send(request, 0, random.nextInt(request.length + 1));
                client.reset();
            }
        }
    },
    /** Asks, and is gone when the reply comes. */
    GONE {
        @Override
        void attack(InetSocketAddress address, byte[] request, Random random) throws IOException {
            try (PlainClient client = new PlainClient(address)) {
                client.send(request);
            }
        }
    },
    /** Takes a segment for each byte. */
    ONE_BYTE_AT_A_TIME {
        @Override
        void attack(InetSocketAddress address, byte[] request, Random random) throws IOException {
            try (PlainClient client = new PlainClient(address)) {
                for (int i = 0; i < request.length; i++) {
                    client.send(request, i, 1);
                }
                client.endOutput();
                client.drain();
            }
        }
    },
    /** Says that it sends no more before its request is whole. */
    HALF_OPEN {
        @Override
        void attack(InetSocketAddress address, byte[] request, Random random) throws IOException {
            try (PlainClient client = new PlainClient(address)) {
                client.send(request, 0, random.nextInt(request.length + 1));
                client.endOutput();
                client.drain();
            }
        }
    },
    /** Asks and asks, and takes no reply. */
    NEVER_READING {
        @Override
        void attack(InetSocketAddress address, byte[] request, Random random) throws IOException {
            try (SocketChannel channel = SocketChannel.open()) {
                channel.setOption(StandardSocketOptions.SO_RCVBUF, SMALL);
                channel.connect(address);
                channel.configureBlocking(false);
                for (int i = 0; i < MANY; i++) {
                    channel.write(ByteBuffer.wrap(request));
                }
                LockSupport.parkNanos(A_WHILE);
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
        }
    },
    /** Sends random octets. */
    GARBAGE {
        @Override
        void attack(InetSocketAddress address, byte[] request, Random random) throws IOException {
            byte[] garbage = new byte[1 + random.nextInt(SMALL)];
            random.nextBytes(garbage);
            try (PlainClient client = new PlainClient(address)) {
                client.send(garbage);
                client.endOutput();
                client.drain();
            }
        }
    },
    /** Sends datagrams faster than the server receives them. */
    DATAGRAMS {
        @Override
        void attack(InetSocketAddress address, byte[] request, Random random) throws IOException {
            try (DatagramSocket socket = new DatagramSocket()) {
                byte[] garbage = new byte[SMALL];
                random.nextBytes(garbage);
                for (int i = 0; i < MANY; i++) {
                    socket.send(new DatagramPacket(garbage, random.nextInt(SMALL), address));
                }
            }
        }
    };

    private static final int SMALL = 4096;
    private static final int MANY = 500;
    private static final long A_WHILE = TimeUnit.MILLISECONDS.toNanos(20);

    /**
     * Does it.
     *
     * @throws IOException if the server breaks the connection, which is its good right
     */
    abstract void attack(InetSocketAddress address, byte[] request, Random random) throws IOException;
}
