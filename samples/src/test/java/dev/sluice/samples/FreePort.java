package dev.sluice.samples;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port for a program that has to be told its port before it listens. It is none of those that the system itself gives
 * to sockets, or another test that runs at the same time might get it first.
 */
public final class FreePort {

    private static final int FIRST = 20_000;
    private static final int BEHIND = 30_000;
    private static final int ATTEMPTS = 1_000;
    /** Whoever was given one may not have bound it yet. */
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private FreePort() {
    }

    /** {@return one that nobody has on the loopback address, and nobody has been given} */
    public static int find() throws IOException {
        for (int i = 0; i < ATTEMPTS; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, BEHIND);
            if (GIVEN.add(port) && isFree(port)) {
                return port;
            }
        }
        throw new BindException("all ports from " + FIRST + " on are taken");
    }

    private static boolean isFree(int port) throws IOException {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
            return socket.isBound();
        } catch (BindException e) {
            return false;
        }
    }

    /** {@return the loopback address with such a port} */
    public static InetSocketAddress address() throws IOException {
        return new InetSocketAddress("127.0.0.1", find());
    }
}
