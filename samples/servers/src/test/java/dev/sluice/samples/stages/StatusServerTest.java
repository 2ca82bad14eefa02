package dev.sluice.samples.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.samples.Background;
import dev.sluice.samples.Patience;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageContext;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageHandler;
import dev.sluice.stages.StageOptions;
import dev.sluice.stages.StopReport;
import dev.sluice.testing.Depth;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A port that serves the status of stages. */
class StatusServerTest {

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final int EVENTS = 10;

    private final StageGraph graph = new StageGraph("graph of a test");
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private StatusServer server;
    private Observer observer;
    private volatile double mean;

    /** Passes events on, and fails on those below zero. */
    private static final class Passing implements StageHandler<Integer> {

        private final String next;
        private EventQueue<Integer> queue;

        Passing(String next) {
            this.next = next;
        }

        @Override
        public void handleStart(StageContext context) {
            queue = context.queue(next, Integer.class);
        }

        @Override
        public void handleEvents(EventBatch<Integer> batch) {
            for (Integer event = batch.next(); event != null; event = batch.next()) {
                if (event < 0) {
                    throw new IllegalArgumentException("a negative one");
                }
                queue.enqueue(event);
            }
        }

        @Override
        public void handleFailure(Integer event, Throwable cause) {
            assertTrue(event < 0);
        }
    }

    @BeforeEach
    void open() throws Exception {
        server = new StatusServer(graph, Map.of("time of a test", () -> mean), ANY_PORT, failure::set);
        observer = new Observer(server.address());
    }

    @AfterEach
    void close() {
        server.close();
        graph.stop(Patience.LIMIT);
        assertNull(failure.get());
    }

    private static void handleAll(EventBatch<Integer> batch) {
        while (batch.next() != null) {
            Thread.onSpinWait();
        }
    }

    @Test
    @Tag(Depth.IN_QUICK)
    void countsEvents() throws Exception {
        Stage<Integer> stage = graph.add("first", Integer.class, new Passing("last"),
                new StageOptions<Integer>().capacity(64).batch(7));
        graph.add("last", Integer.class, StatusServerTest::handleAll);
        graph.start();
        for (int i = 0; i < EVENTS; i++) {
            assertEquals(EnqueueResult.ACCEPTED, stage.queue().enqueue(i - 1));
        }
        assertTrue(graph.drain(Patience.LIMIT));
        JsonNode seen = observer.look();
        assertEquals("graph of a test", seen.get("graph").asText());
        JsonNode first = Observer.stage(seen, "first");
        assertEquals(EVENTS, first.get("accepted").asInt());
        assertEquals(EVENTS - 1, first.get("handled").asInt());
        assertEquals(1, first.get("failed").asInt());
        assertEquals(0, first.get("discarded").asInt());
        assertEquals(64, first.get("capacity").asInt());
        assertEquals(64, first.get("threshold").asInt());
        assertEquals(7, first.get("batch").asInt());
        assertEquals(1, first.get("threads").asInt());
        assertEquals(0, first.get("length").asInt());
        assertEquals("Integer", first.get("events").asText());
        assertNull(first.get("responses"));
        assertEquals(EVENTS - 1, Observer.stage(seen, "last").get("handled").asInt());
        assertEdge(seen, 0, null, "first", EVENTS);
        assertEdge(seen, 1, null, "last", 0);
        assertEdge(seen, 2, "first", "last", EVENTS - 1);
        assertEquals(3, seen.get("edges").size());
    }

    private static void assertEdge(JsonNode seen, int number, String source, String target, int accepted) {
        JsonNode edge = seen.get("edges").get(number);
        assertEquals(source, edge.get("source").textValue());
        assertEquals(target, edge.get("target").asText());
        assertEquals(accepted, edge.get("accepted").asInt());
        assertEquals(source != null, edge.has("points"));
    }

    /** No thread of the graph can run, and who stops it has its lock. */
    @Test
    void answersWhileAllStagesAreStuck() throws Exception {
        GatedStage gate = new GatedStage();
        Stage<Integer> stage = graph.add("stuck", Integer.class, gate,
                new StageOptions<Integer>().capacity(4).threshold(3).batch(1));
        graph.start();
        stage.queue().enqueue(0);
        gate.awaitInside();
        Patience.until("taken", () -> stage.length() == 0);
        for (int i = 0; i < EVENTS; i++) {
            assertEquals(i < 3 ? EnqueueResult.ACCEPTED : EnqueueResult.FULL, stage.queue().enqueue(i));
        }
        Background<StopReport> stop = Background.run(() -> graph.stop(Patience.LIMIT));
        Patience.until("closed", () -> stage.queue().enqueue(0) == EnqueueResult.CLOSED);
        JsonNode seen = Observer.stage(observer.look(), "stuck");
        assertEquals(3, seen.get("length").asInt());
        assertEquals(3, seen.get("threshold").asInt());
        assertEquals(4, seen.get("capacity").asInt());
        assertTrue(seen.get("rejected").asInt() > EVENTS - 3, seen::toString);
        assertEquals(0, seen.get("handled").asInt());
        assertFalse(stop.isDone());
        gate.open();
        assertTrue(stop.result().isDrained());
        assertEquals(4, Observer.stage(observer.look(), "stuck").get("handled").asInt());
    }

    @Test
    void reportsResponseTimesSinceTheLastRequest() throws Exception {
        GatedStage gate = new GatedStage();
        Stage<Integer> stage = graph.add("timed", Integer.class, gate,
                new StageOptions<Integer>().recordResponseTimes());
        graph.add("other", Integer.class, StatusServerTest::handleAll);
        graph.start();
        for (int i = 0; i < EVENTS; i++) {
            stage.queue().enqueue(i);
        }
        gate.awaitInside();
        JsonNode before = Observer.stage(observer.look(), "timed").get("responses");
        assertEquals(0, before.get("count").asInt());
        assertFalse(before.has("p50"));
        gate.open();
        assertTrue(graph.drain(Patience.LIMIT));
        JsonNode all = Observer.stage(observer.look("?since=0:0"), "timed").get("responses");
        assertEquals(EVENTS, all.get("count").asInt());
        assertEquals(EVENTS, all.get("latest").asInt());
        assertTrue(0 < all.get("p50").asDouble() && all.get("p50").asDouble() <= all.get("p90").asDouble()
                && all.get("p90").asDouble() <= all.get("p99").asDouble()
                && all.get("p99").asDouble() <= all.get("longest").asDouble(), all::toString);
        JsonNode some = Observer.stage(observer.look("?since=0:" + (EVENTS - 2)), "timed").get("responses");
        assertEquals(2, some.get("latest").asInt());
        JsonNode none = Observer.stage(observer.look("?since=0:" + EVENTS + ",1:1"), "timed").get("responses");
        assertEquals(0, none.get("latest").asInt());
        assertFalse(none.has("p50"));
        // Of another server, perhaps, which has counted more.
        none = Observer.stage(observer.look("?since=0:999999999999999"), "timed").get("responses");
        assertEquals(0, none.get("latest").asInt());
    }

    @Test
    void showsMeansOfTheProgram() throws Exception {
        mean = 1.5;
        assertEquals(1.5, observer.look().get("means").get("time of a test").asDouble());
        mean = 20;
        JsonNode means = observer.look().get("means");
        assertEquals(20, means.get("time of a test").asDouble());
        assertEquals(1, means.size());
    }

    private Stage<Integer> addTimed(String name, StageHandler<Integer> handler) {
        return graph.add(name, Integer.class, handler, new StageOptions<Integer>().recordResponseTimes());
    }

    /** Enqueues events from outside, and waits until no stage has one any more. */
    private void pass(int events, Stage<Integer> stage) throws InterruptedException {
        for (int i = 0; i < events; i++) {
            assertEquals(EnqueueResult.ACCEPTED, stage.queue().enqueue(i));
        }
        assertTrue(graph.drain(Patience.LIMIT));
    }

    /** Looks again, and says how many response times of each stage the look before has shown, as the page does. */
    private JsonNode lookAfter(JsonNode before) throws Exception {
        StringJoiner counts = new StringJoiner(",", "?since=", "");
        for (JsonNode stage : before.get("stages")) {
            counts.add(stage.get("number") + ":" + stage.get("responses").get("count"));
        }
        return observer.look(counts.toString());
    }

    /**
     * Compares all stages and edges.
     *
     * @param stages their names, in the order of the graph
     * @param edges  in alphabetical order, each by its source, its target, and the number of accepted events
     */
    private static void assertShows(JsonNode seen, List<String> stages, List<String> edges) {
        List<String> names = new ArrayList<>();
        Set<String> places = new HashSet<>();
        for (JsonNode stage : seen.get("stages")) {
            names.add(stage.get("name").asText());
            places.add(stage.get("x").asText() + " " + stage.get("y").asText());
        }
        assertEquals(stages, names);
        assertEquals(stages.size(), places.size(), seen::toString);
        List<String> shown = new ArrayList<>();
        for (JsonNode edge : seen.get("edges")) {
            boolean isInside = !edge.get("source").isNull();
            assertEquals(isInside, edge.has("points"), edge::toString);
            shown.add((isInside ? edge.get("source").asText() : "outside") + " " + edge.get("target").asText() + " "
                    + edge.get("accepted").asText());
        }
        Collections.sort(shown);
        assertEquals(edges, shown);
    }

    @Test
    void followsAGraphThatChangesBetweenLooks() throws Exception {
        Stage<Integer> last = addTimed("last", StatusServerTest::handleAll);
        Stage<Integer> spare = addTimed("spare", StatusServerTest::handleAll);
        Stage<Integer> first = addTimed("first", new Passing("last"));
        graph.start();
        pass(3, first);
        JsonNode seen = observer.look();
        assertShows(seen, List.of("last", "spare", "first"),
                List.of("first last 3", "outside first 3", "outside last 0", "outside spare 0"));

        Stage<Integer> added = addTimed("added", new Passing("last"));
        pass(2, added);
        seen = lookAfter(seen);
        assertShows(seen, List.of("last", "spare", "first", "added"), List.of("added last 2", "first last 3",
                "outside added 2", "outside first 3", "outside last 0", "outside spare 0"));
        assertEquals(2, Observer.stage(seen, "last").get("responses").get("latest").asInt());
        assertEquals(2, Observer.stage(seen, "added").get("responses").get("latest").asInt());

        Stage<Integer> replacement = graph.replace(last, StatusServerTest::handleAll,
                new StageOptions<Integer>().capacity(32).recordResponseTimes(), Patience.LIMIT);
        pass(1, first);
        seen = lookAfter(seen);
        // The edges keep their counts, while those of the stage begin again.
        assertShows(seen, List.of("last", "spare", "first", "added"), List.of("added last 2", "first last 4",
                "outside added 2", "outside first 4", "outside last 0", "outside spare 0"));
        assertEquals(32, Observer.stage(seen, "last").get("capacity").asInt());
        assertEquals(1, Observer.stage(seen, "last").get("handled").asInt());

        graph.moveEdge(first, replacement, spare);
        pass(1, first);
        seen = lookAfter(seen);
        assertShows(seen, List.of("last", "spare", "first", "added"), List.of("added last 2", "first spare 5",
                "outside added 2", "outside first 5", "outside last 0", "outside spare 0"));
        assertEquals(1, Observer.stage(seen, "last").get("handled").asInt());
        assertEquals(1, Observer.stage(seen, "spare").get("handled").asInt());

        assertTrue(graph.remove(added, Patience.LIMIT).isDrained());
        assertTrue(graph.remove(replacement, Patience.LIMIT).isDrained());
        pass(1, first);
        seen = lookAfter(seen);
        assertShows(seen, List.of("spare", "first"), List.of("first spare 6", "outside first 6", "outside spare 0"));
        assertEquals(1, Observer.stage(seen, "spare").get("responses").get("latest").asInt());
    }

    /** The graph keeps it, with its edges, until it has handled its events. */
    @Test
    void showsNoStageThatIsBeingRemoved() throws Exception {
        GatedStage gate = new GatedStage();
        Stage<Integer> removed = graph.add("removed", Integer.class, gate);
        Stage<Integer> first = graph.add("first", Integer.class, new Passing("removed"));
        graph.start();
        assertEquals(EnqueueResult.ACCEPTED, first.queue().enqueue(0));
        gate.awaitInside();
        // Its edge counts an event after the event can be taken.
        Patience.until("counted", () -> first.handled() == 1);
        assertShows(observer.look(), List.of("removed", "first"),
                List.of("first removed 1", "outside first 1", "outside removed 0"));
        Background<StopReport> removal = Background.run(() -> graph.remove(removed, Patience.LIMIT));
        Patience.until("the removal has begun", () -> graph.stages().size() == 1);
        assertShows(observer.look(), List.of("first"), List.of("outside first 1"));
        assertFalse(removal.isDone());
        gate.open();
        assertTrue(removal.result().isDrained());
        assertShows(observer.look(), List.of("first"), List.of("outside first 1"));
    }

    @Test
    void writesAnyNames() throws Exception {
        String[] names = {"a\"<b>", "</script><script>alert(1)</script>", "line\nend\u0000\u2028", "half \ud800",
            "\ud83d\udca7", "", "back\\slash"};
        for (String name : names) {
            graph.add(name, Integer.class, StatusServerTest::handleAll);
        }
        HttpResponse<String> response = observer.ask("GET", StagesHandler.DATA);
        assertTrue(response.body().chars().allMatch(each -> each >= ' ' && each < 0x7F));
        JsonNode seen = observer.look();
        for (int i = 0; i < names.length; i++) {
            assertEquals(names[i], seen.get("stages").get(i).get("name").asText());
        }
    }

    @Test
    void needsNothingButItself() throws Exception {
        for (String[] part : new String[][] {{"", "text/html"}, {".css", "text/css"}, {".js", "text/javascript"}}) {
            HttpResponse<String> response = observer.ask("GET", StagesHandler.PATH + part[0]);
            assertEquals(200, response.statusCode());
            assertEquals(part[1] + "; charset=utf-8", response.headers().firstValue("Content-Type").orElseThrow());
            assertTrue(response.headers().firstValue("Content-Security-Policy").orElseThrow()
                    .startsWith("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "));
            // The only address that begins so is the name of what an element is.
            String rest = response.body().replace("http://www.w3.org/2000/svg", "");
            assertFalse(rest.contains("http:") || rest.contains("https:") || rest.contains("//cdn"), rest);
            assertFalse(rest.matches("(?s).*\\son\\w+=.*"), rest);
            assertEquals("", observer.ask("HEAD", StagesHandler.PATH + part[0]).body());
        }
    }

    @Test
    void refusesWhatItDoesNotUnderstand() throws Exception {
        assertEquals(404, observer.ask("GET", "/").statusCode());
        assertEquals(404, observer.ask("GET", "/stages/").statusCode());
        assertEquals(404, observer.ask("POST", "/").statusCode());
        HttpResponse<String> post = observer.ask("POST", StagesHandler.DATA);
        assertEquals(405, post.statusCode());
        assertEquals("GET, HEAD", post.headers().firstValue("Allow").orElseThrow());
        assertEquals(501, observer.ask("DANCE", StagesHandler.PATH).statusCode());
        for (String query : new String[] {"?since=", "?since=x", "?since=1", "?since=0:1,", "?since=0:1234567890123456",
            "?from=0:1", "?since=0:1&since=0:2"}) {
            assertEquals(400, observer.ask("GET", StagesHandler.DATA + query).statusCode(), query);
        }
    }

    /** Neither who never reads nor who sends little by little holds up others. */
    @Test
    void servesSeveralAtOnce() throws Exception {
        String request = "GET " + StagesHandler.PATH + ".js HTTP/1.1\r\nHost: test\r\n\r\n";
        try (Socket notReading = new Socket(server.address().getAddress(), server.address().getPort());
                Socket slow = new Socket(server.address().getAddress(), server.address().getPort())) {
            notReading.getOutputStream().write(request.repeat(100).getBytes(StandardCharsets.US_ASCII));
            slow.setSoTimeout((int) Patience.LIMIT.toMillis());
            slow.setTcpNoDelay(true);
            for (byte octet : request.replace("1.1", "1.0").getBytes(StandardCharsets.US_ASCII)) {
                slow.getOutputStream().write(octet);
                assertNotNull(observer.look().get("graph"));
            }
            InputStream in = slow.getInputStream();
            String reply = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(reply.startsWith("HTTP/1.1 200 OK\r\n") && reply.endsWith("look();\n"), reply);
        }
    }

    @Test
    void endsWithOpenConnections() throws Exception {
        try (Socket idle = new Socket(server.address().getAddress(), server.address().getPort())) {
            observer.look();
            server.close();
            idle.setSoTimeout((int) Patience.LIMIT.toMillis());
            assertEquals(-1, idle.getInputStream().read());
        }
    }
}
