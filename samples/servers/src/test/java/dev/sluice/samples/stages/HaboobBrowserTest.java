package dev.sluice.samples.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.samples.Background;
import dev.sluice.samples.ExternalProgram;
import dev.sluice.samples.Patience;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.SampleProcess;
import dev.sluice.testing.Depth;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a browser shows of Haboob while 64 clients ask for pages and for its bottleneck. */
@EnabledOnOs(OS.LINUX)
@Tag(Depth.IN_MATRIX)
class HaboobBrowserTest {

    private static final int CLIENTS = 64;
    private static final int THINKING_MILLIS = 20;

    @TempDir
    private Path directory;

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicIntegerArray replies = new AtomicIntegerArray(CLIENTS);
    private final AtomicLong refusals = new AtomicLong();
    private final AtomicBoolean over = new AtomicBoolean();

    private Void ask(int number, String url) throws Exception {
        while (!over.get()) {
            HttpResponse<byte[]> reply = client.send(HttpRequest.newBuilder(URI.create(url)).timeout(Patience.LIMIT)
                    .build(), BodyHandlers.ofByteArray());
            assertTrue(reply.statusCode() == 200 || reply.statusCode() == 503, () -> "status " + reply.statusCode());
            if (reply.statusCode() == 503) {
                refusals.incrementAndGet();
            }
            replies.incrementAndGet(number);
            Thread.sleep(THINKING_MILLIS);
        }
        return null;
    }

    private void awaitReplies() throws Exception {
        int[] before = new int[CLIENTS];
        for (int i = 0; i < CLIENTS; i++) {
            before[i] = replies.get(i);
        }
        Patience.until(replies::toString, () -> {
            for (int i = 0; i < CLIENTS; i++) {
                if (replies.get(i) == before[i]) {
                    return false;
                }
            }
            return true;
        });
    }

    private ExternalProgram show(Observer observer) throws Exception {
        ExternalProgram chromium = ExternalProgram.run(List.of("chromium", "--headless", "--no-sandbox",
                "--disable-gpu", "--disable-dev-shm-usage", "--no-proxy-server", "--virtual-time-budget=20000",
                "--enable-logging=stderr", "--user-data-dir=" + directory.resolve("profile"), "--dump-dom",
                observer.url(StagesHandler.PATH)));
        assertEquals(0, chromium.exitCode(), chromium::errors);
        return chromium;
    }

    @Test
    void drawsItsStagesAtWork() throws Exception {
        try (SampleProcess haboob = SampleCommand.of("haboob", "--port", "0", "--stages", "paper", "--cost", "2")
                .startProcess()) {
            Observer observer = new Observer(haboob.awaitAddress());
            List<Background<Void>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int number = i;
                clients.add(Background.run(() -> ask(number, observer.url(number % 2 == 0 ? "/" : "/bottleneck"))));
            }
            awaitReplies();
            ExternalProgram chromium = show(observer);
            awaitReplies();
            over.set(true);
            for (Background<Void> each : clients) {
                each.result();
            }
            check(chromium.text(), observer.look());
            assertFalse(chromium.errors().contains("CONSOLE"), chromium::errors);
            haboob.stop();
            assertEquals("", haboob.errors().text());
        }
    }

    private static void check(String page, JsonNode graph) {
        assertTrue(page.contains("<title>haboob: stages</title>"), page);
        assertTrue(Pattern.compile("<p id=\"state\"[^>]*>live<").matcher(page).find(), page);
        for (JsonNode stage : graph.get("stages")) {
            assertTrue(page.contains("<h2>" + stage.get("name").asText() + "</h2>"), stage::toString);
        }
        for (String edge : new String[] {"HttpParse → HttpRecv", "HttpRecv → PageCache", "HttpRecv → Bottleneck",
            "PageCache → HttpSend", "Bottleneck → HttpSend"}) {
            assertTrue(page.contains(edge + ": "), edge);
        }
        for (String name : new String[] {"HttpParse", "PageCache", "Bottleneck", "HttpSend"}) {
            assertTrue(Pattern.compile("<article class=\"stage\" data-stage=\"" + name
                    + "\">(?:(?!</article>).)*<dd class=\"handled\" title=\"[1-9]", Pattern.DOTALL).matcher(page)
                    .find(), name);
        }
    }

    @Test
    void showsTheNumberOfRefusedRequests() throws Exception {
        try (SampleProcess haboob = SampleCommand.of("haboob", "--port", "0", "--shedding", "mean", "--target", "1",
                "--cost", "5").startProcess()) {
            Observer observer = new Observer(haboob.awaitAddress());
            List<Background<Void>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int number = i;
                clients.add(Background.run(() -> ask(number, observer.url("/bottleneck"))));
            }
            Patience.until(refusals::toString, () -> refusals.get() > CLIENTS);
            long before = rejected(observer);
            ExternalProgram chromium = show(observer);
            long after = rejected(observer);
            over.set(true);
            for (Background<Void> each : clients) {
                each.result();
            }
            // Exactly these have received a refusal.
            assertEquals(refusals.get(), rejected(observer));
            String page = chromium.text();
            Matcher bottleneck = Pattern.compile("<article class=\"stage\" data-stage=\"Bottleneck\">.*?</article>",
                    Pattern.DOTALL).matcher(page);
            assertTrue(bottleneck.find(), page);
            Matcher count = Pattern.compile("<dd class=\"rejected rejecting\" title=\"([0-9,.]+)\"")
                    .matcher(bottleneck.group());
            assertTrue(count.find(), bottleneck.group());
            long shown = Long.parseLong(count.group(1).replaceAll("[,.]", ""));
            assertTrue(before <= shown && shown <= after, before + " to " + after + ", but " + bottleneck.group());
            assertFalse(chromium.errors().contains("CONSOLE"), chromium::errors);
            haboob.stop();
            assertEquals("", haboob.errors().text());
        }
    }

    private static long rejected(Observer observer) throws Exception {
        return Observer.stage(observer.look(), "Bottleneck").get("rejected").asLong();
    }
}
