package dev.sluice.benchmarks.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.benchmarks.run.Host;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The load generator, as seen from the suites. One process measures all servers of a suite, so that its own compilation
 * is over after the first of them and favours none of the others.
 */
public final class LoadGenerator implements Closeable {

    private static final int PROCESSOR = 1;

    private final ObjectMapper mapper = new ObjectMapper();
    private final Path log;
    private final Process process;
    private final BufferedReader answers;
    private final Writer orders;
    private final boolean isBorrowed;

    private LoadGenerator(Process process, Path log) {
        this.isBorrowed = false;
        this.process = process;
        this.log = log;
        this.answers = process.inputReader(StandardCharsets.UTF_8);
        this.orders = process.outputWriter(StandardCharsets.UTF_8);
    }

    private LoadGenerator(LoadGenerator owner) {
        this.isBorrowed = true;
        this.process = owner.process;
        this.log = owner.log;
        this.answers = owner.answers;
        this.orders = owner.orders;
    }

    /**
     * Starts one, on a processor of its own where there are two, unless the suites of this host share one.
     *
     * @param host the host to run on
     * @return the generator; the caller closes it, which ends the process unless it is shared
     * @throws IOException if it cannot be started
     */
    public static LoadGenerator start(Host host) throws IOException {
        Map<Class<?>, Closeable> shared = host.shared();
        if (shared == null) {
            return startProcess(host);
        }
        if (!shared.containsKey(LoadGenerator.class)) {
            shared.put(LoadGenerator.class, startProcess(host));
        }
        return new LoadGenerator((LoadGenerator) shared.get(LoadGenerator.class));
    }

    private static LoadGenerator startProcess(Host host) throws IOException {
        Path log = host.directory().resolve("load-generator.log");
        // No garbage collection during a measurement: it allocates almost only when it connects.
        List<String> command = host.pinned(PROCESSOR,
                host.java(List.of("-Xms256m", "-Xmx256m", "-XX:+UseSerialGC"), LoadMain.class));
        return new LoadGenerator(host.start(new ProcessBuilder(command).redirectError(Redirect.to(log.toFile()))),
                log);
    }

    /**
     * Puts a load on a server.
     *
     * @param load to generate
     * @return what was measured
     * @throws IOException if a byte that came back was wrong, a message was lost, or a connection broke
     */
    public LoadResult measure(Load load) throws IOException {
        return answer(new Order(load, null, null, null)).result();
    }

    /**
     * Puts clients on a web server.
     *
     * @param clients to run
     * @return the result
     * @throws IOException if a byte that came was wrong, or this machine does not support so many
     */
    public ClientsResult measure(Clients clients) throws IOException {
        return answer(new Order(null, clients, null, null)).clients();
    }

    /**
     * Sends visitors to a web server.
     *
     * @param visits of it
     * @return what they have met
     * @throws IOException if the server has done something wrong, or this machine does not support so many
     */
    public ClientsResult measure(Visits visits) throws IOException {
        return answer(new Order(null, null, visits, null)).clients();
    }

    /**
     * Sends packets through a Gnutella router.
     *
     * @param packets to send
     * @return how many came, and how late
     * @throws IOException if one was changed or repeated, or the router has closed a connection that was read from
     */
    public PacketsResult measure(Packets packets) throws IOException {
        return answer(new Order(null, null, null, packets)).packets();
    }

    private Answer answer(Order order) throws IOException {
        orders.write(mapper.writeValueAsString(order) + "\n");
        orders.flush();
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("the load generator has ended by itself; see " + log);
        }
        Answer answer = mapper.readValue(line, Answer.class);
        if (answer.error() != null) {
            throw new IOException(answer.error());
        }
        return answer;
    }

    @Override
    public void close() {
        if (!isBorrowed) {
            process.destroyForcibly().onExit().join();
        }
    }
}
