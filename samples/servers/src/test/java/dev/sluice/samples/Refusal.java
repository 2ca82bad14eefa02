package dev.sluice.samples;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;

/** The first thing that shows that a server has begun to stop. */
public final class Refusal {

    private Refusal() {
    }

    /** Waits until connections to the address are refused. */
    public static void await(InetSocketAddress address) throws Exception {
        Patience.until("connections are refused", () -> {
            try (Socket socket = new Socket()) {
                socket.connect(address);
                return false;
            } catch (SocketException e) {
                // Refused, or reset in the backlog of the socket that has just been closed.
                return true;
            }
        });
    }
}
