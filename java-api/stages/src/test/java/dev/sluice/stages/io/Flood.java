package dev.sluice.stages.io;

import static dev.sluice.handle.Bytes.assertBytes;

import dev.sluice.eventloop.OtherThread;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Clients that send to a {@link FloodedEcho} as fast as they can, until this is ended. */
final class Flood {

    /** Longer than it may take until a client is served, however much others send. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    /** Fits into what may wait to be sent on a connection, so that nothing of it is dropped. */
    private static final int MAX_AT_ONCE = 32 * 1024;
    private static final int MUCH = 64 * 1024;

    private final int port;
    private final List<OtherThread<Void>> clients = new ArrayList<>();
    private final AtomicLong unread = new AtomicLong();
    private final AtomicLong resets = new AtomicLong();
    private final Socket neverRead;
    private volatile boolean over;

    Flood(int port) throws IOException {
        this.port = port;
        neverRead = connect();
        clients.add(OtherThread.start(this::sendAndNeverRead));
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout((int) TIMEOUT.toMillis());
        return socket;
    }

    private static void reset(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /** Adds one that reads all that it has sent, and compares. */
    void addReader(Random random, AtomicLong rounds) {
        clients.add(OtherThread.start(() -> {
            try (Socket socket = connect()) {
                DataInputStream in = new DataInputStream(socket.getInputStream());
                while (!over) {
                    byte[] sent = new byte[1 + random.nextInt(MAX_AT_ONCE)];
                    random.nextBytes(sent);
                    for (int i = 0; i < sent.length; i++) {
                        sent[i] &= Byte.MAX_VALUE;
                    }
                    socket.getOutputStream().write(sent);
                    byte[] received = new byte[sent.length];
                    in.readFully(received);
                    assertBytes(sent, received);
                    rounds.incrementAndGet();
                }
            }
            return null;
        }));
    }

    /** Adds one that connects over and over, and resets the connection in the middle of what is under way. */
    void addResetter() {
        clients.add(OtherThread.start(() -> {
            for (boolean poisoned = false; !over; poisoned = !poisoned) {
                byte[] bytes = new byte[MUCH];
                bytes[0] = poisoned ? FloodedEcho.POISON : 0;
                Socket socket = connect();
                try {
                    socket.getOutputStream().write(bytes, 0, 1);
                    if (poisoned) {
                        awaitEnd(socket);
                    } else {
                        socket.getOutputStream().write(bytes);
                    }
                } finally {
                    reset(socket);
                }
                resets.incrementAndGet();
            }
            return null;
        }));
    }

    /** The other side closes it, and what it has not read makes that a reset. */
    private static void awaitEnd(Socket socket) throws IOException {
        try {
            socket.getOutputStream().write(new byte[MUCH]);
            while (socket.getInputStream().read() >= 0) {
                // What was sent before the poison.
            }
        } catch (SocketException e) {
            // Reset, which is an end, too.
        }
    }

    private Void sendAndNeverRead() throws IOException {
        byte[] bytes = new byte[MUCH];
        try {
            while (!over) {
                neverRead.getOutputStream().write(bytes);
                unread.addAndGet(bytes.length);
            }
        } catch (IOException e) {
            if (!over) {
                throw e;
            }
        }
        return null;
    }

    /** {@return the number of bytes sent by the peer that never reads} */
    long unread() {
        return unread.get();
    }

    /** {@return the number of connections that were reset} */
    long resets() {
        return resets.get();
    }

    /** Ends all, and throws what has gone wrong for one of them. */
    void end() throws Exception {
        over = true;
        reset(neverRead);
        for (OtherThread<Void> client : clients) {
            client.result(TIMEOUT.multipliedBy(2));
        }
    }
}
