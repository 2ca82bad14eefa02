package dev.sluice.samples.web;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.samples.conversation.ConcurrencyStrategy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Connections that have not been accepted yet, while the only thread serves a silent one. In Haboob no connection has a
 * thread to itself.
 */
@EnabledOnOs(OS.LINUX)
class WebBacklogTest {

    private static final int MORE_THAN_WAIT = 8;
    private static final int MILLIS = 500;

    @Test
    void lessWaitThanWouldOtherwise() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try (WebSample web = WebSample.start(ConcurrencyStrategy.THREAD_POOL, "--threads", "1", "--backlog", "2")) {
            // The kernel does not answer connection requests beyond the backlog.
            assertThrows(SocketTimeoutException.class, () -> {
                for (int i = 0; i < MORE_THAN_WAIT; i++) {
                    Socket socket = new Socket();
                    sockets.add(socket);
                    socket.connect(web.address(), MILLIS);
                }
            });
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }
}
