package dev.sluice.samples.haboob;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.samples.Background;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.SampleProcess;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bottleneck under more load than it can take. */
@EnabledOnOs(OS.LINUX)
class SheddingTest {

    private static final int CLIENTS = 32;
    private static final int PAGE = 8 * 1024;

    private static String[] command(String... options) {
        List<String> all = new ArrayList<>(List.of("haboob", "--port", "0"));
        all.addAll(List.of(options));
        return all.toArray(String[]::new);
    }

    /** Each reply is a whole page or a whole refusal, until there has been a refusal. */
    @ParameterizedTest
    @CsvSource({"mean,1", "percentile,1", "delay,20"})
    void whoIsShedGetsAWholeRefusal(String shedding, String cost) throws Exception {
        try (SampleProcess haboob = SampleCommand.of(command("--shedding", shedding, "--target", "1", "--cost", cost))
                .start()) {
            InetSocketAddress address = haboob.awaitAddress();
            URI page = URI.create("http://127.0.0.1:" + address.getPort() + "/bottleneck");
            HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            AtomicBoolean refused = new AtomicBoolean();
            List<Background<Void>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(Background.run(() -> fetch(client, page, refused)));
            }
            for (Background<Void> each : clients) {
                each.result();
            }
            haboob.stop();
            assertEquals("", haboob.errors().text());
        }
    }

    private static Void fetch(HttpClient client, URI page, AtomicBoolean refused) throws Exception {
        while (!refused.get()) {
            HttpResponse<byte[]> reply = client.send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofByteArray());
            if (reply.statusCode() == 200) {
                assertEquals(PAGE, reply.body().length);
            } else {
                assertEquals(503, reply.statusCode());
                assertEquals("1", reply.headers().firstValue("retry-after").orElse(null));
                assertTrue(new String(reply.body(), UTF_8).contains("more to do than it can"));
                refused.set(true);
            }
        }
        return null;
    }
}
