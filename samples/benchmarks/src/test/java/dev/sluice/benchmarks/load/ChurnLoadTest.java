package dev.sluice.benchmarks.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Clients that come for a file each, on a server that is no web server. */
class ChurnLoadTest {

    private static final Duration SHORT = Duration.ofMillis(50);
    private static final String HEAD = "HTTP/1.1 200 OK\r\n\r\n";
    private static final String END_OF_REQUEST = "\r\n\r\n";

    /** Answers a request, for one file after the other. */
    private interface Answering {
        byte[] answer(String request) throws IOException;
    }

    private final AtomicInteger served = new AtomicInteger();

    private LoadResult measure(List<Integer> files, Answering answering) throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> serve(socket, answering), "server");
            server.start();
            try {
                return ChurnLoad.ofFiles(Load.files(socket.getLocalPort(), 4, files, SHORT, SHORT,
                        ProcessHandle.current().pid())).measure();
            } finally {
                socket.close();
                server.join();
            }
        }
    }

    private void serve(ServerSocket socket, Answering answering) {
        while (!socket.isClosed()) {
            try (Socket client = socket.accept()) {
                client.getOutputStream().write(answering.answer(request(client.getInputStream())));
                served.incrementAndGet();
            } catch (IOException e) {
                // The socket has been closed, or this client gave up.
            }
        }
    }

    private static String request(InputStream input) throws IOException {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        while (!request.toString(StandardCharsets.US_ASCII).endsWith(END_OF_REQUEST)) {
            int next = input.read();
            if (next < 0) {
                break;
            }
            request.write(next);
        }
        return request.toString(StandardCharsets.US_ASCII);
    }

    private static byte[] reply(int size, int octets) throws IOException {
        ByteArrayOutputStream reply = new ByteArrayOutputStream();
        reply.write(HEAD.getBytes(StandardCharsets.US_ASCII));
        reply.write(Site.content(size), 0, octets);
        return reply.toByteArray();
    }

    private static int requested(String request) {
        return Integer.parseInt(request.substring(request.indexOf('/') + 1, request.indexOf(".bin")));
    }

    @Test
    void everyFileOfTheListIsAskedForInTurn() throws Exception {
        AtomicInteger large = new AtomicInteger();
        LoadResult result = measure(List.of(500, 5_000), request -> {
            int size = requested(request);
            if (size == 5_000) {
                large.incrementAndGet();
            }
            return reply(size, size);
        });

        // On a busy machine perhaps none of them while it was measured.
        assertTrue(served.get() >= 4 && result.messages() <= served.get(), () -> result + ", served: " + served);
        assertEquals(served.get() / 2, large.get(), "every other one");
    }

    @Test
    void fileOfAnotherSizeIsAFailure() {
        assertThrows(IOException.class, () -> measure(List.of(5_000), request -> reply(500, 500)));
    }

    @Test
    void fileThatLacksAByteIsAFailure() {
        String message = assertThrows(IOException.class,
                () -> measure(List.of(5_000), request -> reply(5_000, 4_999))).getMessage();

        assertTrue(message.contains("5000.bin") && message.contains("4999"), message);
    }
}
