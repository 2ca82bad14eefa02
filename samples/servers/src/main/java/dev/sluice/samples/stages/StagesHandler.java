package dev.sluice.samples.stages;

import dev.sluice.samples.web.protocol.Method;
import dev.sluice.samples.web.protocol.Reply;
import dev.sluice.samples.web.protocol.Request;
import dev.sluice.samples.web.protocol.RequestHandler;
import dev.sluice.samples.web.protocol.Status;
import dev.sluice.stages.StageGraph;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.DoubleSupplier;

/**
 * Shows a graph of stages at {@value #PATH}: a page for people, which shows what there is at {@value #DATA} for
 * programs, once a second. Everything else is for the next handler.
 *
 * <p>For any thread. It does not block, but takes as long as sorting 1024 response times of each stage does.
 */
public final class StagesHandler implements RequestHandler {

    /** The page. */
    public static final String PATH = "/stages";
    /** What the page shows, as JSON. */
    public static final String DATA = PATH + ".json";

    private static final String STYLE = PATH + ".css";
    private static final String SCRIPT = PATH + ".js";

    /** All that is found here, and waits for nothing. */
    public static final Set<String> PATHS = Set.of(PATH, DATA, STYLE, SCRIPT);

    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /** A part of the page that is always the same. */
    private record Part(String type, byte[] octets) {

        static Part of(String type, String name) {
            try (InputStream in = StagesHandler.class.getResourceAsStream(name)) {
                return new Part(type, Objects.requireNonNull(in, name).readAllBytes());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private final GraphDescription description;
    private final RequestHandler next;
    private final Map<String, Part> parts = Map.of(
            PATH, Part.of("text/html; charset=utf-8", "stages.html"),
            STYLE, Part.of("text/css; charset=utf-8", "stages.css"),
            SCRIPT, Part.of("text/javascript; charset=utf-8", "stages.js"));

    /**
     * Creates a handler.
     *
     * @param graph to be shown, started or not
     * @param means mean times that the program measures itself, in milliseconds, by the names to be shown
     * @param next  answers all other requests
     */
    public StagesHandler(StageGraph graph, Map<String, DoubleSupplier> means, RequestHandler next) {
        this.description = new GraphDescription(graph, means);
        this.next = Objects.requireNonNull(next, "next");
    }

    @Override
    public void handle(Request request, Reply reply) {
        String path = request.path();
        Part part = path == null ? null : parts.get(path);
        if (part == null && !DATA.equals(path)) {
            next.handle(request, reply);
        } else if (request.method() == Method.UNKNOWN) {
            reply.answer(Status.NOT_IMPLEMENTED);
        } else if (!request.method().isServed()) {
            reply.answer(Status.METHOD_NOT_ALLOWED);
            reply.field("Allow", "GET, HEAD");
        } else if (part != null) {
            reply.answerAlike(part.type, part.octets);
            addFields(reply);
        } else {
            answerData(request, reply);
        }
    }

    private void answerData(Request request, Reply reply) {
        Looks since = Looks.parse(request.query());
        if (since == null) {
            reply.answer(Status.BAD_REQUEST);
        } else {
            reply.answer("application/json", description.json(since));
            addFields(reply);
        }
    }

    private static void addFields(Reply reply) {
        reply.field("Cache-Control", "no-store");
        reply.field("Content-Security-Policy", POLICY);
        reply.field("X-Content-Type-Options", "nosniff");
    }
}
