package dev.sluice.samples.web.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.sluice.samples.web.files.CacheStatistics;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Shows the statistics of the cache, as HTML at a path of its own and as CSV at the same path with {@code .csv}; all
 * other requests go to the next handler.
 */
public final class StatusHandler implements RequestHandler {

    private static final String CSV = ".csv";

    private final String path;
    private final Supplier<Map<String, Object>> server;
    private final Supplier<CacheStatistics> statistics;
    private final HttpClock clock;
    private final RequestHandler next;

    /**
     * Creates a handler.
     *
     * @param path       of the page, beginning with a slash; a file with the same path is hidden by it
     * @param server     figures to show of the server, by name
     * @param statistics what to show of the cache
     * @param clock      the clock
     * @param next       answers all other requests
     */
    public StatusHandler(String path, Supplier<Map<String, Object>> server, Supplier<CacheStatistics> statistics,
                         HttpClock clock, RequestHandler next) {
        this.path = path;
        this.server = server;
        this.statistics = statistics;
        this.clock = clock;
        this.next = next;
    }

    @Override
    public void handle(Request request, Reply reply) {
        String asked = request.method().isServed() ? request.path() : null;
        if (asked == null || !asked.startsWith(path)) {
            next.handle(request, reply);
        } else if (asked.length() == path.length()) {
            answer(reply, "text/html; charset=utf-8", page());
        } else if (asked.endsWith(CSV) && asked.length() == path.length() + CSV.length()) {
            answer(reply, "text/csv; charset=utf-8", csv());
        } else {
            next.handle(request, reply);
        }
    }

    @Override
    public boolean mayWait(Request request) {
        return next.mayWait(request);
    }

    private static void answer(Reply reply, String type, String text) {
        reply.answer(type, text.getBytes(US_ASCII));
        reply.field("Cache-Control", "no-store");
    }

    private Map<String, Object> figures() {
        CacheStatistics now = statistics.get();
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("time", clock.seconds());
        figures.putAll(server.get());
        figures.put("strategy", now.strategy().name().toLowerCase(Locale.ROOT));
        figures.put("capacity", now.capacity());
        figures.put("entries", now.entries());
        figures.put("hits", now.hits());
        figures.put("misses", now.misses());
        figures.put("hits per thousand", now.hitRate());
        figures.put("stale", now.stale());
        figures.put("evictions", now.evictions());
        figures.put("refusals", now.refusals());
        figures.put("compressions", now.compressions());
        figures.put("mapped bytes", now.mapped());
        figures.put("mapped bytes at most", now.memory());
        return figures;
    }

    private String csv() {
        Map<String, Object> figures = figures();
        StringBuilder values = new StringBuilder();
        figures.values().forEach(value -> values.append(values.length() > 0 ? "," : "").append(value));
        return String.join(",", figures.keySet()) + "\r\n" + values + "\r\n";
    }

    private String page() {
        StringBuilder page = new StringBuilder("""
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta http-equiv="refresh" content="5">
                <title>Cached virtual filesystem</title>
                </head>
                <body>
                <h1>Cached virtual filesystem</h1>
                <table>
                """);
        figures().forEach((name, value) ->
                page.append("<tr><th>").append(name).append("</th><td>").append(value).append("</td></tr>\n"));
        return page.append("</table>\n</body>\n</html>\n").toString();
    }
}
