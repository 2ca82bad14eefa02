package dev.sluice.benchmarks.web;

import dev.sluice.benchmarks.load.Site;
import dev.sluice.benchmarks.run.Host;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The load generator wrk, with one thread on a processor of its own, and its output. */
final class Wrk {

    static final int CONNECTIONS = 64;

    private static final int PROCESSOR = 1;
    private static final Pattern REQUESTS = Pattern.compile("(\\d+) requests in ");
    private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([\\d.]+)");
    private static final Pattern LATENCY = Pattern.compile("\\s99%\\s+([\\d.]+)(us|ms|s)");
    private static final Pattern ERRORS = Pattern.compile("Socket errors:.*|Non-2xx or 3xx responses:.*");
    private static final String PIPELINE = """
            init = function(args)
               local requests = {}
               for i = 1, %d do
                  requests[i] = wrk.format()
               end
               batch = table.concat(requests)
            end

            request = function()
               return batch
            end
            """;

    private final Path program;
    private final Host host;

    Wrk(Path program, Host host) {
        this.program = program;
        this.host = host;
    }

    /**
     * The result of a run.
     *
     * @param requests that were answered
     * @param rate     of them per second
     * @param p99      the latency of 99 %, in microseconds; 0 if wrk has taken none, as can be with pipelined requests
     */
    record Result(long requests, double rate, double p99) {
    }

    /**
     * Puts a load on a server.
     *
     * @param port    of the server
     * @param page    is asked for
     * @param seconds the length of the measurement, in seconds
     * @return what it told
     * @throws IOException if there was an error, or another answer than the file
     */
    Result run(int port, Page page, int seconds) throws IOException {
        Process process = host.start(new ProcessBuilder(host.pinned(PROCESSOR, command(port, page, seconds)))
                .redirectErrorStream(true));
        String text;
        try (InputStream output = process.getInputStream()) {
            process.getOutputStream().close();
            text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            process.destroyForcibly().onExit().join();
        }
        Matcher errors = ERRORS.matcher(text);
        if (errors.find()) {
            throw new IOException("wrk: " + errors.group());
        }
        return new Result((long) find(REQUESTS, text), find(RATE, text), latency(text));
    }

    private List<String> command(int port, Page page, int seconds) throws IOException {
        List<String> command = new ArrayList<>(List.of(program.toString(), "--threads", "1", "--connections",
                Integer.toString(CONNECTIONS), "--duration", seconds + "s", "--latency"));
        if (page.pipelined() > 1) {
            Path script = host.directory().resolve("pipeline-" + page.pipelined() + ".lua");
            Files.writeString(script, PIPELINE.formatted(page.pipelined()));
            command.addAll(List.of("--script", script.toString()));
        }
        if (page.closing()) {
            command.addAll(List.of("--header", "Connection: close"));
        }
        command.add("http://127.0.0.1:" + port + "/" + Site.file(page.size()));
        return command;
    }

    private static double latency(String text) throws IOException {
        Matcher matcher = LATENCY.matcher(text);
        if (!matcher.find()) {
            throw notUnderstood(text);
        }
        double value = Double.parseDouble(matcher.group(1));
        return switch (matcher.group(2)) {
            case "us" -> value;
            case "ms" -> value * 1_000;
            default -> value * 1_000_000;
        };
    }

    private static double find(Pattern pattern, String text) throws IOException {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw notUnderstood(text);
        }
        return Double.parseDouble(matcher.group(1));
    }

    private static IOException notUnderstood(String text) {
        return new IOException("unexpected output of wrk: " + text.replace('\n', ' ').strip());
    }
}
