package dev.sluice.samples.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.samples.Patience;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** Looks at stages as a program does. */
final class Observer {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final InetSocketAddress address;

    Observer(InetSocketAddress address) {
        this.address = address;
    }

    String url(String target) {
        return "http://" + address.getHostString() + ":" + address.getPort() + target;
    }

    HttpResponse<String> ask(String method, String target) throws Exception {
        return client.send(HttpRequest.newBuilder(URI.create(url(target))).timeout(Patience.LIMIT)
                .method(method, BodyPublishers.noBody()).build(), BodyHandlers.ofString());
    }

    JsonNode look() throws Exception {
        return look("");
    }

    JsonNode look(String query) throws Exception {
        HttpResponse<String> response = ask("GET", StagesHandler.DATA + query);
        assertEquals(200, response.statusCode());
        assertEquals("application/json", response.headers().firstValue("Content-Type").orElseThrow());
        return MAPPER.readTree(response.body());
    }

    static JsonNode stage(JsonNode graph, String name) {
        for (JsonNode stage : graph.get("stages")) {
            if (stage.get("name").asText().equals(name)) {
                return stage;
            }
        }
        throw new AssertionError("no stage " + name + " in " + graph);
    }
}
