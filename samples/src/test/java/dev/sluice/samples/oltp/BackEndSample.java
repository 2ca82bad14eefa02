package dev.sluice.samples.oltp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.ForeignProgram;
import dev.sluice.samples.JavaHome;
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

/** A back-end in a process of its own, with a bank of 4 branches, 5 tellers and 1000 accounts each. */
public final class BackEndSample implements AutoCloseable {

    public static final int BRANCHES = 4;
    public static final int TELLERS = 5;
    public static final int ACCOUNTS = 1000;

    private final SampleProcess process;

    private BackEndSample(SampleProcess process) {
        this.process = process;
    }

    public static BackEndSample start(Path data, Object pool) throws IOException {
        return start(data, pool, 0);
    }

    /** Starts it on a port, 0 for any free one. */
    public static BackEndSample start(Path data, Object pool, int port) throws IOException {
        return start(JavaHome.own(), data, pool, port);
    }

    static BackEndSample start(JavaHome java, Path data, Object pool, int port) throws IOException {
        return new BackEndSample(SampleCommand.of("oltp-back", "--data", data.toString(), "--port", "" + port,
                "--concurrency", pool.toString(), "--branches", "" + BRANCHES, "--tellers", "" + TELLERS,
                "--accounts", "" + ACCOUNTS).on(java).startProcess());
    }

    public SampleProcess process() {
        return process;
    }

    public InetSocketAddress address() throws InterruptedException {
        return process.awaitAddress();
    }

    public RespClient connect() throws Exception {
        return new RespClient(address());
    }

    /** Runs one of Redis's own clients. */
    public ForeignProgram redis(String program, Object... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(program, "-p", Integer.toString(address().getPort())));
        Stream.of(arguments).map(Object::toString).forEach(command::add);
        return ForeignProgram.run(command);
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
        process.signal("KILL");
        process.awaitExit();
    }

    /** Asks it to stop, and checks that it ends in order and has complained of nothing. */
    public void stop() throws Exception {
        process.stop();
        assertEquals("", process.errors().text());
    }

    @Override
    public void close() {
        process.close();
    }
}
