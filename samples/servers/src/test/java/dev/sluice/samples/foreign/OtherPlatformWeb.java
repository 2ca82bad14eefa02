package dev.sluice.samples.foreign;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.RandomBytes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** The web sample on a foreign JVM: a file comes as it lies on the disk, as a whole and a part of it. */
record OtherPlatformWeb(OtherPlatformServer server) {

    private static final byte[] FILE = RandomBytes.of(18, 300_000);
    private static final int FROM = 100_000;
    private static final int TO = 200_000;

    void test() throws Exception {
        Path root = Files.createTempDirectory("sluice-foreign");
        Path file = Files.write(root.resolve("random.bin"), FILE);
        try {
            server.onEach(List.of("web", "--root", root.toString()), List.of("--io", "reactive"),
                    List.of("--io", "proactive"), this::get);
        } finally {
            Files.delete(file);
            Files.delete(root);
        }
    }

    private void get(InetSocketAddress address) throws IOException, InterruptedException {
        Duration timeout = Duration.ofMillis(server.patienceMillis());
        // One after the other, so that the second is a request on the connection of the first.
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .build();
        HttpRequest.Builder request = HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + address.getPort() + "/random.bin")).timeout(timeout);
        HttpResponse<byte[]> whole = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        assertEquals(200, whole.statusCode());
        assertArrayEquals(FILE, whole.body());
        HttpResponse<byte[]> part = client.send(request.header("Range", "bytes=" + FROM + "-" + (TO - 1)).build(),
                HttpResponse.BodyHandlers.ofByteArray());
        assertEquals(206, part.statusCode());
        assertArrayEquals(Arrays.copyOfRange(FILE, FROM, TO), part.body());
    }
}
