package dev.sluice.benchmarks.seda.pool;

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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Looks at the stages of a server now and then, as it tells of them itself. */
final class StagesWatch implements Closeable {

    /** A request waits its turn in the server, as all others do. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int OK = 200;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ObjectMapper mapper = new ObjectMapper();
    private final HttpRequest request;
    private final List<Look> looks = new ArrayList<>();
    private IOException failure;

    /**
     * One look.
     *
     * @param seconds when that was, since the server has begun
     * @param stages  how each of them was, by its name
     */
    record Look(double seconds, Map<String, Glimpse> stages) {

        /**
         * How one stage was.
         *
         * @param length  of its queue, in events
         * @param threads how many it had
         */
        record Glimpse(int length, int threads) {
        }
    }

    /**
     * Makes one that does not look yet.
     *
     * @param port of the server, on 127.0.0.1
     */
    StagesWatch(int port) {
        request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + StagesHandler.DATA))
                .timeout(PATIENCE).build();
    }

    /**
     * Begins to look.
     *
     * @param between from one answer to the next request
     * @return to be cancelled by the caller
     */
    Future<?> lookEvery(Duration between) {
        return thread.scheduleWithFixedDelay(this::lookUnlessFailed, 0, between.toNanos(), TimeUnit.NANOSECONDS);
    }

    private synchronized void lookUnlessFailed() {
        if (failure != null) {
            return;
        }
        try {
            look();
        } catch (IOException e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Looks once.
     *
     * @throws IOException          if that fails
     * @throws InterruptedException if the thread is interrupted
     */
    synchronized void look() throws IOException, InterruptedException {
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
        looks.add(new Look(graph.required("seconds").doubleValue(), stages));
    }

    /**
     * {@return all looks since the last call}
     *
     * @throws IOException if one has failed
     */
    synchronized List<Look> take() throws IOException {
        if (failure != null) {
            throw new IOException("the stages were no longer to be seen: " + failure, failure);
        }
        List<Look> taken = List.copyOf(looks);
        looks.clear();
        return taken;
    }

    /** Looks no more. */
    @Override
    public void close() {
        thread.close();
        client.close();
    }
}
