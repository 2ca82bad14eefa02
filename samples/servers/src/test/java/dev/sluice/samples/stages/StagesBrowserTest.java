package dev.sluice.samples.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.samples.ExternalProgram;
import dev.sluice.samples.Patience;
import dev.sluice.testing.Depth;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a browser shows of stages that are busy. */
@EnabledOnOs(OS.LINUX)
class StagesBrowserTest {

    private static final int CLIENTS = 64;

    @TempDir
    private Path directory;

    private ExternalProgram show(String url) throws Exception {
        ExternalProgram chromium = ExternalProgram.run(List.of("chromium", "--headless", "--no-sandbox",
                "--disable-gpu", "--disable-dev-shm-usage", "--no-proxy-server", "--virtual-time-budget=20000",
                "--enable-logging=stderr", "--user-data-dir=" + directory.resolve("profile"), "--dump-dom", url));
        assertEquals(0, chromium.exitCode(), chromium::errors);
        return chromium;
    }

    private static List<String> found(String page, String pattern) {
        List<String> all = new ArrayList<>();
        Matcher matcher = Pattern.compile(pattern, Pattern.DOTALL).matcher(page);
        while (matcher.find()) {
            all.add(matcher.group(1));
        }
        return all;
    }

    @Test
    @Tag(Depth.IN_MATRIX)
    void drawsAServerWithManyClients() throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<ClosedLoopClient> clients = new ArrayList<>();
        try (StagedService service = new StagedService();
                StatusServer status = new StatusServer(service.graph, Map.of("time of a test", () -> 2.5),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), failure::set)) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(new ClosedLoopClient(service.address));
            }
            Observer observer = new Observer(status.address());
            Patience.until("all are served, some refused, and some wait for the store", () -> clients.stream()
                    .allMatch(client -> client.replies() > 0)
                    && clients.stream().anyMatch(client -> client.refusals() > 0)
                    && Observer.stage(observer.look(), "store").get("handled").asInt() > 0);
            ExternalProgram chromium = show(observer.url(StagesHandler.PATH));
            List<Long> replies = clients.stream().map(ClosedLoopClient::replies).toList();
            Patience.until("all are still served", () -> {
                for (int i = 0; i < CLIENTS; i++) {
                    if (clients.get(i).replies() <= replies.get(i)) {
                        return false;
                    }
                }
                return true;
            });
            check(chromium.text(), observer.look());
            assertFalse(chromium.errors().contains("CONSOLE"), chromium::errors);
            for (ClosedLoopClient client : clients) {
                client.close();
            }
        }
        assertNull(failure.get());
    }

    private static void check(String page, JsonNode graph) {
        assertTrue(page.contains("<title>small staged service: stages</title>"), page);
        assertEquals(List.of("live"), found(page, "<p id=\"state\"[^>]*>([^<]*)<"), page);
        assertEquals(List.of("2.5 ms"), found(page, "<dt>time of a test</dt><dd>([^<]*)<"), page);
        List<String> names = new ArrayList<>();
        graph.get("stages").forEach(stage -> names.add(stage.get("name").asText().replace("<", "&lt;")
                .replace(">", "&gt;")));
        // Beside the graph they are in the order of their places in it.
        assertEquals(Set.copyOf(names), Set.copyOf(found(page, "<h2>(.*?)</h2>")), page);
        assertEquals(names, found(page, "<g class=\"box[^>]*><title>(.*?)</title>"), page);
        assertTrue(names.contains("a\"&lt;b onclick=\"x\"&gt;"), names::toString);

        List<String> edges = found(page, "<g class=\"edge\"[^>]*>(.*?)</g>");
        for (String edge : new String[] {"outside → parse", "parse → cache", "cache → store", "store → cache",
            "cache → send"}) {
            String drawn = edges.stream().filter(each -> each.contains(edge + ": ")).findFirst()
                    .orElseThrow(() -> new AssertionError(edge + " is not in " + page));
            assertTrue(Pattern.compile("<path d=\"M.*>[0-9.]+[kM]?/s</text>").matcher(drawn).find(), drawn);
        }
        String store = found(page, "(<article class=\"stage\" data-stage=\"store\">.*?</article>)").get(0);
        assertTrue(Pattern.compile("<dd class=\"rejected rejecting\" title=\"[1-9]").matcher(store).find(), store);
        assertTrue(Pattern.compile("<dd class=\"handled\" title=\"[1-9]").matcher(store).find(), store);
        // Several looks make a line: of the threshold, the queue, the threads, two rates and three percentiles. These
        // have gaps, if nothing has been stored between two looks.
        assertEquals(8, found(store, "<path class=\"(?:calm|middle|warm|limit)\" d=\"(M[^\"]*)\"").size(), store);
        assertTrue(5 <= found(store, "<path class=\"(?:calm|warm|limit)\" d=\"(M[^\"]*L[^\"]*)\"").size(), store);
        assertTrue(store.contains(">50 % "), store);
    }
}
