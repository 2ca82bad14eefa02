package dev.sluice.benchmarks.peers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.samples.stages.StagesHandler;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Reads the stages of a staged server from its status page. For one thread at a time. */
public final class StagesPage implements Closeable {

    /** A request waits in the server's queues, like all others. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int OK = 200;

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ObjectMapper mapper = new ObjectMapper();
    private final HttpRequest request;

    /**
     * One look.
     *
     * @param seconds when that was, since the server has begun
     * @param stages  how each of them was, by its name
     */
    public record Look(double seconds, Map<String, Glimpse> stages) {

        /**
         * How one stage was.
         *
         * @param length  of its queue, in events
         * @param threads how many it had
         */
        public record Glimpse(int length, int threads) {
        }

        /**
         * {@return how a stage was}
         *
         * @param name of the stage
         * @throws IOException if there is none
         */
        public Glimpse stage(String name) throws IOException {
            Glimpse glimpse = stages.get(name);
            if (glimpse == null) {
                throw new IOException("there is no stage " + name + " among " + stages.keySet());
            }
            return glimpse;
        }
    }

    /**
     * Does not look yet.
     *
     * @param port of the server, on 127.0.0.1
     */
    public StagesPage(int port) {
        request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + StagesHandler.DATA))
                .timeout(TIMEOUT).build();
    }

    /**
     * {@return how the stages are now}
     *
     * @throws IOException          if the server does not tell
     * @throws InterruptedException if the thread is interrupted
     */
    public Look look() throws IOException, InterruptedException {
        HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() != OK) {
            throw new IOException(request.uri() + " was answered with " + response.statusCode());
        }
        JsonNode graph = mapper.readTree(response.body());
        Map<String, Look.Glimpse> stages = new HashMap<>();
        for (JsonNode stage : graph.required("stages")) {
            stages.put(stage.required("name").textValue(), new Look.Glimpse(stage.required("length").intValue(),
                    stage.required("threads").intValue()));
        }
        return new Look(graph.required("seconds").doubleValue(), stages);
    }

    @Override
    public void close() {
        client.close();
    }
}
