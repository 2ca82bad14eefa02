package dev.sluice.samples.stages;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import dev.sluice.stages.EdgeAccount;
import dev.sluice.stages.ResponseTimes;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageAccount;
import dev.sluice.stages.StageGraph;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;

/** How a graph of stages is just now, as JSON, with the places of stages and edges in a drawing. For any thread. */
final class GraphDescription {

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int[] PERCENTILES = {50, 90, 99};

    /** In ASCII, because half a surrogate pair, which a name can have, cannot be written in UTF-8. */
    private static final JsonFactory JSON = JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private final StageGraph graph;
    private final Map<String, DoubleSupplier> means;
    private final long begin = System.nanoTime();
    /** Of the stages, from 0 on: one that is in the place of another, or has its name, has a number of its own. */
    private final Map<Stage<?>, Integer> numbers = Collections.synchronizedMap(new WeakHashMap<>());
    private final AtomicInteger next = new AtomicInteger();
    /** The last one; it changes when stages or edges have come, gone or moved. */
    private volatile Drawing drawing = new Drawing(0, List.of());

    private record Drawing(int stages, List<GraphLayout.Way> ways, GraphLayout layout) {

        Drawing(int stages, List<GraphLayout.Way> ways) {
            this(stages, ways, new GraphLayout(stages, ways));
        }
    }

    GraphDescription(StageGraph graph, Map<String, DoubleSupplier> means) {
        this.graph = graph;
        this.means = means;
    }

    /**
     * Describes it.
     *
     * @param since what the requester has seen before
     * @return JSON in ASCII
     */
    byte[] json(Looks since) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(out)) {
            write(json, since);
        } catch (IOException e) {
            // Memory does not fail.
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private void write(JsonGenerator json, Looks since) throws IOException {
        Map<String, StageAccount> accounts = new HashMap<>();
        graph.accounts().forEach(account -> accounts.put(account.stage(), account));
        // Stages come and go meanwhile. Only what is in all these lists is described.
        List<Stage<?>> stages = graph.stages().stream().filter(stage -> accounts.containsKey(stage.name())).toList();
        Map<String, Integer> places = new HashMap<>();
        stages.forEach(stage -> places.put(stage.name(), places.size()));
        List<EdgeAccount> edges = graph.edgeAccounts().stream()
                .filter(edge -> (edge.source() == null || places.containsKey(edge.source()))
                        && places.containsKey(edge.target()))
                .toList();
        GraphLayout layout = layout(stages.size(), ways(edges, places));
        Runtime runtime = Runtime.getRuntime();
        json.writeStartObject();
        json.writeStringField("graph", graph.toString());
        json.writeNumberField("seconds", (System.nanoTime() - begin) / NANOS_PER_SECOND);
        json.writeNumberField("memory", runtime.totalMemory() - runtime.freeMemory());
        json.writeNumberField("maxMemory", runtime.maxMemory());
        json.writeObjectFieldStart("means");
        for (Map.Entry<String, DoubleSupplier> mean : means.entrySet()) {
            json.writeNumberField(mean.getKey(), mean.getValue().getAsDouble());
        }
        json.writeEndObject();
        json.writeNumberField("width", layout.width());
        json.writeNumberField("height", layout.height());
        json.writeNumberField("stageWidth", GraphLayout.STAGE_WIDTH);
        json.writeNumberField("stageHeight", GraphLayout.STAGE_HEIGHT);
        json.writeArrayFieldStart("stages");
        for (int i = 0; i < stages.size(); i++) {
            json.writeStartObject();
            Stage<?> stage = stages.get(i);
            int number = numbers.computeIfAbsent(stage, key -> next.getAndIncrement());
            json.writeNumberField("number", number);
            writeStage(json, stage, accounts.get(stage.name()), since.count(number));
            json.writeNumberField("x", layout.x(i));
            json.writeNumberField("y", layout.y(i));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("edges");
        int way = 0;
        for (EdgeAccount edge : edges) {
            json.writeStartObject();
            writeEdge(json, edge);
            if (edge.source() != null) {
                json.writeFieldName("points");
                int[] points = layout.points(way++);
                json.writeArray(points, 0, points.length);
            }
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /** Several threads may compute the same one at the same time. */
    private GraphLayout layout(int stages, List<GraphLayout.Way> ways) {
        Drawing current = drawing;
        if (current.stages != stages || !current.ways.equals(ways)) {
            current = new Drawing(stages, ways);
            drawing = current;
        }
        return current.layout;
    }

    private static List<GraphLayout.Way> ways(List<EdgeAccount> edges, Map<String, Integer> places) {
        List<GraphLayout.Way> ways = new ArrayList<>();
        for (EdgeAccount edge : edges) {
            if (edge.source() != null) {
                ways.add(new GraphLayout.Way(places.get(edge.source()), places.get(edge.target())));
            }
        }
        return ways;
    }

    private static void writeStage(JsonGenerator json, Stage<?> stage, StageAccount account, long since)
            throws IOException {
        json.writeStringField("name", stage.name());
        json.writeStringField("events", stage.type().getSimpleName());
        json.writeStringField("runner", stage.runner());
        json.writeNumberField("length", stage.length());
        json.writeNumberField("threshold", stage.threshold());
        json.writeNumberField("capacity", stage.capacity());
        json.writeNumberField("threads", stage.threads());
        json.writeNumberField("batch", stage.batch());
        json.writeNumberField("accepted", account.accepted());
        json.writeNumberField("handled", account.handled());
        json.writeNumberField("failed", account.failed());
        json.writeNumberField("discarded", account.discarded());
        json.writeNumberField("rejected", account.rejected());
        ResponseTimes times = stage.responseTimes();
        if (times != null) {
            json.writeObjectFieldStart("responses");
            writeResponses(json, times, since);
            json.writeEndObject();
        }
    }

    /** In milliseconds. */
    private static void writeResponses(JsonGenerator json, ResponseTimes times, long since) throws IOException {
        long count = times.count();
        long[] latest = times.latest(since, count);
        Arrays.sort(latest);
        json.writeNumberField("count", count);
        json.writeNumberField("latest", latest.length);
        if (latest.length > 0) {
            for (int percentile : PERCENTILES) {
                json.writeNumberField("p" + percentile,
                        latest[(int) Math.ceil(percentile / 100.0 * latest.length) - 1] / NANOS_PER_MILLI);
            }
            json.writeNumberField("longest", latest[latest.length - 1] / NANOS_PER_MILLI);
        }
    }

    private static void writeEdge(JsonGenerator json, EdgeAccount edge) throws IOException {
        json.writeStringField("source", edge.source());
        json.writeStringField("target", edge.target());
        json.writeNumberField("accepted", edge.accepted());
        json.writeNumberField("rejected", edge.rejected());
    }
}
