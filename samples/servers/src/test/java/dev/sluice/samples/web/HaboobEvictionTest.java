package dev.sluice.samples.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.campaign.Campaign;
import dev.sluice.samples.Background;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RandomBytes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many more files than there is memory for, so that pages come and go all the time while others send them. */
@Tag(Campaign.TAG)
@EnabledOnOs(OS.LINUX)
class HaboobEvictionTest {

    private static final int CLIENTS = 8;
    private static final int ROUNDS = Campaign.count(30, 3000);
    /** Requests that go together. */
    private static final int PIPELINED = 3;
    private static final int FILES = 40;
    /** Of a page, in octets: a quarter of the cache. */
    private static final int LARGEST = 128 * 1024;
    private static final int CACHE = 4 * LARGEST;
    /** They are no pages, but go through the memory of the cache piece by piece. */
    private static final int TOO_LARGE = 3 * LARGEST;
    private static final String LARGE = "large";

    @TempDir
    private Path root;

    private final List<byte[]> contents = new ArrayList<>();

    private void fill(Random random) throws Exception {
        for (int i = 0; i < FILES; i++) {
            // Some fill their last block to its end, or begin another one with an octet.
            int size = i % 5 == 0 ? 8192 * (1 + random.nextInt(16)) : 1 + random.nextInt(LARGEST / 2);
            contents.add(RandomBytes.of(random.nextLong(), i % 10 == 9 ? TOO_LARGE + i : size));
            Files.write(root.resolve(Integer.toString(i)), contents.get(i));
        }
        for (int i = 0; i < CACHE / LARGEST; i++) {
            Files.write(root.resolve(LARGE + i), RandomBytes.of(random.nextLong(), LARGEST));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.sluice.samples.web.WebDriver#haboobs")
    void eachGetsEveryOctetAndNothingStaysBehind(WebDriver haboob) throws Exception {
        Campaign campaign = Campaign.begin("eviction of pages");
        fill(campaign.random(CLIENTS));
        try (WebSample web = WebSample.serve(root, haboob, "--page-cache", Integer.toString(CACHE / 1024), "--status",
                "/status")) {
            web.address();
            List<Background<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Random random = campaign.random(i);
                clients.add(Background.run(() -> fetch(web, random, campaign)));
            }
            int refused = 0;
            for (Background<Integer> each : clients) {
                refused += each.result();
            }
            Map<String, Long> figures = figures(web);
            assertTrue(figures.get("page evictions") > FILES, figures::toString);
            assertTrue(refused < CLIENTS * ROUNDS * PIPELINED / 2, refused + " were refused");
            assertNothingIsHeld(web);
            web.process().stop();
        }
    }

    /** Fetches on one connection: {@return the number of requests refused, which may happen when all is being sent} */
    private int fetch(WebSample web, Random random, Campaign campaign) throws Exception {
        int refused = 0;
        try (HttpClientSocket client = web.connect()) {
            for (int round = 0; round < ROUNDS; round++) {
                StringBuilder requests = new StringBuilder();
                int[] files = random.ints(PIPELINED, 0, FILES).toArray();
                for (int file : files) {
                    requests.append(HttpClientSocket.request("GET", "/" + file));
                }
                client.send(requests.toString());
                for (int file : files) {
                    HttpClientSocket.Received reply = client.receive();
                    if (reply.status() == 503) {
                        assertTrue(reply.head().contains("\r\nRetry-After: 1\r\n"), reply.head());
                        refused++;
                    } else {
                        assertEquals(200, reply.status(), reply.head());
                        assertArrayEquals(contents.get(file), reply.content(), () -> campaign + ", file " + file);
                    }
                }
            }
        }
        return refused;
    }

    /** All of the memory goes to pages that take it up to the last block: so no other page can have any of it. */
    private void assertNothingIsHeld(WebSample web) throws Exception {
        int pages = CACHE / LARGEST;
        Patience.until("all sends have ended", () -> {
            try (HttpClientSocket client = web.connect()) {
                for (int i = 0; i < pages; i++) {
                    client.get("/" + LARGE + i);
                    if (client.receive().status() != 200) {
                        return false;
                    }
                }
            }
            Map<String, Long> figures = figures(web);
            return figures.get("pages") == pages && figures.get("page bytes") == CACHE;
        });
    }

    private static Map<String, Long> figures(WebSample web) throws Exception {
        try (HttpClientSocket client = web.connect()) {
            String[] lines = new String(client.get("/status.csv").receive().content(), US_ASCII).split("\r\n");
            String[] names = lines[0].split(",");
            String[] values = lines[1].split(",", -1);
            Map<String, Long> figures = new HashMap<>();
            for (int i = 0; i < names.length; i++) {
                if (names[i].startsWith("page")) {
                    figures.put(names[i], Long.parseLong(values[i]));
                }
            }
            return figures;
        }
    }
}
