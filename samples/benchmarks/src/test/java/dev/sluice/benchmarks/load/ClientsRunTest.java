package dev.sluice.benchmarks.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Clients of a web server that does what a test wants. */
class ClientsRunTest {

    private static final int CLIENTS = 4;
    private static final int SIZE = 100;
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final double NANOS_PER_MICRO = 1e3;

    /** Answers a request, by its number on its connection from 1 on; null ends the connection. */
    private interface Answering {
        byte[] answer(String path, int request) throws IOException, InterruptedException;
    }

    private final Queue<Integer> requestsOfConnections = new ConcurrentLinkedQueue<>();
    private final Map<String, Boolean> paths = new ConcurrentHashMap<>();
    /** The clients have left. */
    private final CountDownLatch over = new CountDownLatch(1);

    private ClientsResult measure(int directories, long thinkMillis, boolean obedient, Duration timeout,
            Answering answering) throws IOException, InterruptedException {
        List<Thread> threads = new ArrayList<>();
        try (ServerSocket socket = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
            Thread acceptor = Thread.ofPlatform().start(() -> accept(socket, answering, threads));
            try {
                return new ClientsRun(new Clients(socket.getLocalPort(), CLIENTS, directories,
                        directories == 0 ? "/page" : null, SIZE, 5, thinkMillis, obedient, 0,
                        SHORT.toMillis(), timeout.toMillis(), 0, ProcessHandle.current().pid(), null)).measure();
            } finally {
                over.countDown();
                socket.close();
                acceptor.join();
                for (Thread thread : threads) {
                    thread.join();
                }
            }
        }
    }

    private void accept(ServerSocket socket, Answering answering, List<Thread> threads) {
        while (true) {
            try {
                Socket client = socket.accept();
                threads.add(Thread.ofVirtual().start(() -> serve(client, answering)));
            } catch (IOException e) {
                // It is over.
                return;
            }
        }
    }

    private void serve(Socket client, Answering answering) {
        int requests = 0;
        try (client; BufferedReader in = new BufferedReader(new InputStreamReader(client.getInputStream(),
                StandardCharsets.US_ASCII))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String path = line.split(" ")[1];
                while (!line.isEmpty()) {
                    line = in.readLine();
                }
                requests++;
                paths.put(path, true);
                byte[] answer = answering.answer(path, requests);
                if (answer == null) {
                    break;
                }
                client.getOutputStream().write(answer);
            }
        } catch (IOException | InterruptedException e) {
            // The client has left.
        }
        requestsOfConnections.add(requests);
    }

    private static byte[] refusal() {
        return "HTTP/1.1 503 No\r\nRetry-After: 1000\r\nContent-Length: 2\r\n\r\nno"
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] page() throws IOException {
        return reply(new byte[SIZE]);
    }

    private static byte[] reply(byte[] content) throws IOException {
        ByteArrayOutputStream reply = new ByteArrayOutputStream();
        reply.write(("HTTP/1.1 200 OK\r\nContent-Length: " + content.length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        reply.write(content);
        return reply.toByteArray();
    }

    private static byte[] file(FileSet files, String path) throws IOException {
        Page page = null;
        for (int number = 0; page == null; number++) {
            page = files.page(number).path().equals(path) ? files.page(number) : null;
        }
        byte[] content = new byte[page.size()];
        new Pattern(content.length).view().get(page.place(), content);
        return reply(content);
    }

    private int requests() {
        return requestsOfConnections.stream().mapToInt(Integer::intValue).sum();
    }

    /** On a busy machine there may not be enough time for anything to come twice: then they come once more. */
    private ClientsResult measureUntil(BooleanSupplier enough, long thinkMillis, Answering answering)
            throws IOException, InterruptedException {
        long began = System.nanoTime();
        ClientsResult result = measure(0, thinkMillis, false, LONG, answering);
        while (!enough.getAsBoolean() && System.nanoTime() - began < LONG.toNanos()) {
            result = measure(0, thinkMillis, false, LONG, answering);
        }
        assertTrue(enough.getAsBoolean(), requestsOfConnections::toString);
        return result;
    }

    @Test
    void takesANewConnectionAfterFiveRequests() throws Exception {
        ClientsResult result = measureUntil(() -> requestsOfConnections.contains(5), 1, (path, request) -> page());

        assertTrue(requestsOfConnections.stream().allMatch(each -> each <= 5), requestsOfConnections::toString);
        assertEquals(List.of("/page"), List.copyOf(paths.keySet()));
        assertEquals(0, result.unanswered());
        assertEquals(0, result.refused());
        assertTrue(result.fairness() <= 1, result::toString);
        assertTrue(result.percentile(50) > 0 && result.percentile(100) >= result.percentile(50), result::toString);
    }

    @Test
    void comparesTheFilesOfTheSet() throws Exception {
        FileSet files = new FileSet(2);
        measure(2, 1, false, LONG, (path, request) -> file(files, path));
        assertTrue(paths.size() > 1, paths::toString);

        String message = assertThrows(IOException.class, () -> measure(2, 1, false, LONG, (path, request) -> {
            byte[] wrong = file(files, path);
            wrong[wrong.length - 1]++;
            return wrong;
        })).getMessage();
        assertTrue(message.contains("is wrong"), message);
    }

    @Test
    void countsRefusalsAndComesAgain() throws Exception {
        ClientsResult result = measureUntil(() -> requests() > CLIENTS, 1, (path, request) -> refusal());

        assertEquals(0, result.served());
        assertEquals(0, result.unanswered());
    }

    @Test
    void waitsAsLongAsRetryAfterSays() throws Exception {
        measure(0, 1, true, LONG, (path, request) -> refusal());

        assertEquals(CLIENTS, requests());
    }

    @Test
    void countsWhatIsNotAnswered() throws Exception {
        ClientsResult result = measureUntil(() -> requests() > CLIENTS, 20, (path, request) -> null);

        assertEquals(0, result.served());
        assertTrue(result.unanswered() >= CLIENTS, result::toString);
        assertTrue(requestsOfConnections.stream().allMatch(each -> each == 1), requestsOfConnections::toString);
    }

    @Test
    void asksAgainWhereAnIdleConnectionHasEnded() throws Exception {
        ClientsResult result = measureUntil(() -> requestsOfConnections.contains(3), 1,
                (path, request) -> request > 2 ? null : page());

        assertEquals(0, result.unanswered(), result::toString);
    }

    @Test
    void countsRequestsThatWaitAtTheEnd() throws Exception {
        ClientsResult result = measure(0, 20, false, Duration.ofMillis(1), (path, request) -> {
            over.await();
            return null;
        });

        assertEquals(CLIENTS, result.unanswered());
        assertTrue(result.percentile(50) > SHORT.toNanos() / NANOS_PER_MICRO * 0.99, result::toString);
    }

    @Test
    void countsClientsBesideThemByThemselves() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
            List<Thread> threads = new ArrayList<>();
            Thread acceptor = Thread.ofPlatform().start(() -> accept(socket,
                    (path, request) -> path.equals("/page") ? page() : refusal(), threads));
            Clients ofPage = new Clients(socket.getLocalPort(), CLIENTS, 0, "/page", SIZE, 5, 1, false, 0,
                    SHORT.toMillis(), LONG.toMillis(), 0, ProcessHandle.current().pid(), null);
            Clients others = new Clients(socket.getLocalPort(), 1, 0, "/other", SIZE, 5, 1, false, 0, 0, 0, 0,
                    ProcessHandle.current().pid(), null);
            ClientsResult result = new ClientsRun(ofPage.beside(others)).measure();
            socket.close();
            acceptor.join();
            for (Thread thread : threads) {
                thread.join();
            }

            assertTrue(result.mean() > 0, result::toString);
            assertEquals(0, result.refused());
            assertEquals(0, result.beside().mean());
            assertTrue(paths.containsKey("/other"), paths::toString);
        }
    }

    /** Its port is bound, but not listening. */
    @Test
    void survivesAServerThatIsNotThere() throws Exception {
        try (Socket socket = new Socket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            ClientsResult result = new ClientsRun(new Clients(socket.getLocalPort(), CLIENTS, 0, "/page", SIZE, 5, 1,
                    false, 0, SHORT.toMillis(), LONG.toMillis(), 0, ProcessHandle.current().pid(), null)).measure();

            assertEquals(0, result.served());
            assertTrue(result.unanswered() >= CLIENTS, result::toString);
        }
    }
}
