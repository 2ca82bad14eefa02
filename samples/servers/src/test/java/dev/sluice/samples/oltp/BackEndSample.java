package dev.sluice.samples.oltp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.ExternalProgram;
import dev.sluice.samples.JavaHome;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import dev.sluice.samples.SampleProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A back-end with a bank of 4 branches, 5 tellers and 1000 accounts each. */
public final class BackEndSample implements AutoCloseable {

    public static final int BRANCHES = 4;
    public static final int TELLERS = 5;
    public static final int ACCOUNTS = 1000;

    private final RunningSample sample;

    private BackEndSample(RunningSample sample) {
        this.sample = sample;
    }

    /** Starts it in this JVM, on any free port. */
    public static BackEndSample start(Path data, Object pool) throws IOException {
        return start(data, pool, 0);
    }

    /** Starts it in this JVM, on a port. */
    public static BackEndSample start(Path data, Object pool, int port) throws IOException {
        return new BackEndSample(command(data, pool, port).start());
    }

    /** Starts it in a process of its own, on any free port, for what only a process can show. */
    public static BackEndSample startProcess(Path data, Object pool) throws IOException {
        return startProcess(JavaHome.own(), data, pool, 0);
    }

    static BackEndSample startProcess(JavaHome java, Path data, Object pool, int port) throws IOException {
        return new BackEndSample(command(data, pool, port).on(java).startProcess());
    }

    private static SampleCommand command(Path data, Object pool, int port) {
        return SampleCommand.of("oltp-back", "--data", data.toString(), "--port", "" + port,
                "--concurrency", pool.toString(), "--branches", "" + BRANCHES, "--tellers", "" + TELLERS,
                "--accounts", "" + ACCOUNTS);
    }

    public RunningSample sample() {
        return sample;
    }

    /** {@return its process, if it was started as one} */
    public SampleProcess process() {
        return (SampleProcess) sample;
    }

    public InetSocketAddress address() throws InterruptedException {
        return sample.awaitAddress();
    }

    public RespClient connect() throws Exception {
        return new RespClient(address());
    }

    /** Runs one of Redis's own clients. */
    public ExternalProgram redis(String program, Object... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(program, "-p", Integer.toString(address().getPort())));
        Stream.of(arguments).map(Object::toString).forEach(command::add);
        return ExternalProgram.run(command);
    }

    /** {@return a section of INFO} */
    public Map<String, String> info(String section) throws Exception {
        Map<String, String> lines = new TreeMap<>();
        try (RespClient client = connect()) {
            for (String line : client.ask("INFO", section).toString().split("\r\n")) {
                if (!line.startsWith("#")) {
                    String[] parts = line.split(":", 2);
                    lines.put(parts[0], parts[1]);
                }
            }
        }
        return lines;
    }

    /** Ends it with SIGKILL, and waits until it is gone. */
    public void kill() throws Exception {
        process().signal("KILL");
        process().awaitExit();
    }

    /** Asks it to stop, and checks that it ends in order and has complained of nothing. */
    public void stop() throws Exception {
        sample.stop();
        assertEquals("", sample.errors().text());
    }

    @Override
    public void close() {
        sample.close();
    }
}
