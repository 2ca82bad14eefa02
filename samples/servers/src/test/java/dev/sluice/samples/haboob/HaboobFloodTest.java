package dev.sluice.samples.haboob;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.campaign.Campaign;
import dev.sluice.samples.Flood;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RandomBytes;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.testing.Depth;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Hundreds of clients, in a long run a thousand, that ask and never read, and a server with a heap of 64 MiB. */
@Tag(Campaign.TAG)
@EnabledOnOs(OS.LINUX)
class HaboobFloodTest {

    private static final Duration LENGTH = Duration.ofSeconds(
            Integer.getInteger("sluice.flood.seconds", Campaign.count(0, 300)));
    /** Clients that ask for the same. */
    private static final int PART = Campaign.count(30, 100);
    /** More than can be in memory. */
    private static final int MANY_FILES = 100;
    private static final int SMALL = 100_000;
    /** Larger than a quarter of the page cache. */
    private static final int LARGE = 6 << 20;
    private static final int HEAD = 15_000;
    private static final int FIELD = 1_500;

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final byte[] bytes = RandomBytes.of(16, SMALL);

    @TempDir
    private Path root;

    private static String get(String path, String... fields) {
        return "GET " + path + " HTTP/1.1\r\nHost: a\r\n" + String.join("", fields) + "\r\n";
    }

    private static String[] largeHead() {
        String[] fields = new String[HEAD / FIELD];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = "X-" + i + ": " + "x".repeat(FIELD - 10) + "\r\n";
        }
        return fields;
    }

    private void fill() throws Exception {
        for (int i = 0; i < MANY_FILES; i++) {
            Files.write(root.resolve(Integer.toString(i)), bytes);
        }
        Files.write(root.resolve("large"), new byte[LARGE]);
    }

    static Stream<String> aThousandWhoNeverReadDoNotEndIt(TestInfo test) {
        return Depth.some(test, Stream.of("coarse", "paper"), 1);
    }

    @ParameterizedTest
    @MethodSource
    void aThousandWhoNeverReadDoNotEndIt(String stages) throws Exception {
        Campaign.begin("flood of haboob");
        fill();
        try (RunningSample haboob = SampleCommand.of("haboob", "--port", "0", "--stages", stages, "--page-cache",
                "16384", "--cost", "0", "--root", root.toString()).withOption("-Xmx64m")
                .withOption("-XX:+ExitOnOutOfMemoryError").start()) {
            InetSocketAddress address = haboob.awaitAddress();
            long end = System.nanoTime() + LENGTH.toNanos();
            do {
                try (Flood flood = new Flood(address)) {
                    for (int i = 0; i < MANY_FILES; i++) {
                        flood.add(Campaign.count(1, 3), get("/" + i));
                    }
                    flood.add(PART, get("/large"));
                    flood.add(PART, get("/bottleneck"));
                    flood.add(PART, get("/stages.json"));
                    flood.add(PART, get("/0", largeHead()));
                    flood.add(PART, get("/none", largeHead()));
                    flood.add(PART, get("/bottleneck", largeHead()));
                    flood.add(PART, get("/0", "Range: bytes=" + "0-0,".repeat(50) + "5-\r\n"));
                    flood.untilThrottled();
                    // What needs no memory of the page cache is still there for others.
                    do {
                        flood.send();
                        assertEquals(200, get(address, "/stages.css").statusCode());
                        assertEquals(404, get(address, "/none").statusCode());
                        assertAnswered(get(address, "/7"));
                    } while (System.nanoTime() - end < 0);
                }
                Patience.until("others get pages again", () -> assertAnswered(get(address, "/7")));
            } while (System.nanoTime() - end < 0);
            // The stop closes the remaining connections.
            haboob.stop();
            assertEquals("", haboob.errors().text());
        }
    }

    /** {@return whether it is the page, and not a refusal} */
    private boolean assertAnswered(HttpResponse<byte[]> reply) {
        if (reply.statusCode() == 200) {
            assertArrayEquals(bytes, reply.body());
            return true;
        }
        assertEquals(503, reply.statusCode());
        assertEquals("1", reply.headers().firstValue("Retry-After").orElse(null));
        return false;
    }

    private HttpResponse<byte[]> get(InetSocketAddress address, String path) throws Exception {
        return client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort() + path))
                .timeout(Patience.LIMIT).build(), BodyHandlers.ofByteArray());
    }
}
