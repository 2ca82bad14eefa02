package dev.sluice.benchmarks.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Visitors of a web server that does what a test wants. */
class VisitsRunTest {

    private static final String PAGE = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK";
    private static final String REFUSAL = "HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n";

    /** The visitors have left. */
    private final CountDownLatch over = new CountDownLatch(1);

    private ClientsResult measure(String answer, long timeoutMillis) throws IOException, InterruptedException {
        try (ServerSocket socket = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress())) {
            Thread acceptor = Thread.ofPlatform().start(() -> accept(socket, answer));
            try {
                return new VisitsRun(new Visits(socket.getLocalPort(), 200, 4, "/page", 2, 0, 300, timeoutMillis,
                        ProcessHandle.current().pid())).measure();
            } finally {
                over.countDown();
                socket.close();
                acceptor.join();
            }
        }
    }

    private void accept(ServerSocket socket, String answer) {
        while (true) {
            try {
                Socket client = socket.accept();
                Thread.ofVirtual().start(() -> serve(client, answer));
            } catch (IOException e) {
                // It is over.
                return;
            }
        }
    }

    private void serve(Socket client, String answer) {
        try (client; BufferedReader in = new BufferedReader(new InputStreamReader(client.getInputStream(),
                StandardCharsets.US_ASCII))) {
            for (String line = in.readLine(); line != null && !line.isEmpty();) {
                line = in.readLine();
            }
            if (answer == null) {
                over.await();
            } else {
                client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                client.getInputStream().read();
            }
        } catch (IOException | InterruptedException e) {
            // The visitor has left.
        }
    }

    @Test
    void countsPagesOfEachUser() throws Exception {
        ClientsResult result = measure(PAGE, 60_000);

        assertTrue(result.percentile(50) > 0, result::toString);
        assertTrue(result.fairness() > 0 && result.fairness() <= 1, result::toString);
        assertEquals(0, result.refused());
        assertEquals(0, result.unanswered());
    }

    @Test
    void countsRefusals() throws Exception {
        ClientsResult result = measure(REFUSAL, 60_000);

        assertEquals(0, result.served());
        assertEquals(0, result.unanswered());
    }

    @Test
    void leavesWhenPatienceEnds() throws Exception {
        ClientsResult result = measure(null, 1);

        assertEquals(0, result.served());
        assertTrue(result.unanswered() > 0, result::toString);
    }

    /** Its port is bound, but not listening. */
    @Test
    void survivesAServerThatIsNotThere() throws Exception {
        try (Socket socket = new Socket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            ClientsResult result = new VisitsRun(new Visits(socket.getLocalPort(), 200, 4, "/page", 2, 0, 100, 60_000,
                    ProcessHandle.current().pid())).measure();

            assertEquals(0, result.served());
            assertTrue(result.unanswered() > 0, result::toString);
        }
    }
}
