package dev.sluice.samples.oltp;

import dev.sluice.samples.FreePort;
import dev.sluice.samples.JavaHome;
import dev.sluice.samples.Patience;
import dev.sluice.samples.RunningSample;
import dev.sluice.samples.SampleCommand;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A front end and two back-ends, all with the same pool model. */
public final class OltpSystem implements AutoCloseable {

    public static final int BACK_ENDS = 2;

    private final JavaHome java;
    private final boolean killable;
    private final Path directory;
    private final Object pool;
    private final List<BackEndSample> backEnds = new ArrayList<>();
    private final List<InetSocketAddress> addresses = new ArrayList<>();
    private String[] frontOptions;
    private RunningSample front;

    private OltpSystem(JavaHome java, boolean killable, Path directory, Object pool) {
        this.java = java;
        this.killable = killable;
        this.directory = directory;
        this.pool = pool;
    }

    /** Starts all in this JVM, and waits until the front end has connected. */
    public static OltpSystem start(Path directory, Object pool, String... options) throws Exception {
        return start(JavaHome.own(), false, directory, pool, options);
    }

    /** As {@link #start}, with back-ends in processes of their own, which can be killed and suspended. */
    public static OltpSystem startKillable(Path directory, Object pool, String... options) throws Exception {
        return startKillable(JavaHome.own(), directory, pool, options);
    }

    /** As {@link #startKillable}, with all on a Java. */
    public static OltpSystem startKillable(JavaHome java, Path directory, Object pool, String... options)
            throws Exception {
        return start(java, true, directory, pool, options);
    }

    private static OltpSystem start(JavaHome java, boolean killable, Path directory, Object pool, String... options)
            throws Exception {
        OltpSystem system = new OltpSystem(java, killable, directory, pool);
        try {
            for (int i = 0; i < BACK_ENDS; i++) {
                // Where it can be again after it was killed.
                system.backEnds.add(system.startBackEnd(i, FreePort.find()));
            }
            for (BackEndSample backEnd : system.backEnds) {
                system.addresses.add(backEnd.address());
            }
            system.frontOptions = options;
            system.restartFront();
            system.awaitBackEnds(line -> line.contains("links=4"));
            return system;
        } catch (Throwable e) {
            system.close();
            throw e;
        }
    }

    /** Starts the front end, again if it has been stopped; on any port. */
    public void restartFront() throws IOException {
        String backs = String.join(",", addresses.stream()
                .map(address -> address.getHostString() + ":" + address.getPort()).toList());
        front = SampleCommand.of(Stream.concat(Stream.of("oltp-front", "--back", backs, "--port", "0", "--concurrency",
                pool.toString()), Stream.of(frontOptions)).toArray(String[]::new)).on(java).start();
    }

    private BackEndSample startBackEnd(int index, int port) throws IOException {
        return killable ? BackEndSample.startProcess(java, data(index), pool, port)
                : BackEndSample.start(data(index), pool, port);
    }

    public Path data(int backEnd) {
        return directory.resolve("back" + backEnd);
    }

    public RunningSample front() {
        return front;
    }

    public BackEndSample backEnd(int index) {
        return backEnds.get(index);
    }

    public RespClient connect() throws Exception {
        return new RespClient(front.awaitAddress());
    }

    /** Starts a back-end that has ended where it was before. */
    public void restart(int index) throws Exception {
        backEnds.set(index, startBackEnd(index, addresses.get(index).getPort()));
        backEnds.get(index).address();
    }

    /** Waits until what the front end says of each back-end is so. */
    public void awaitBackEnds(Predicate<String> expected) throws Exception {
        Map<String, String> seen = new TreeMap<>();
        Patience.until(seen::toString, () -> {
            seen.clear();
            seen.putAll(info());
            return seen.entrySet().stream().filter(line -> line.getKey().startsWith("back_end_"))
                    .allMatch(line -> expected.test(line.getValue()));
        });
    }

    private Map<String, String> info() throws Exception {
        Map<String, String> lines = new TreeMap<>();
        try (RespClient client = connect()) {
            for (String line : client.ask("INFO", "back-ends").toString().split("\r\n")) {
                if (line.contains(":")) {
                    lines.put(line.substring(0, line.indexOf(':')), line.substring(line.indexOf(':') + 1));
                }
            }
        }
        return lines;
    }

    /** Ends all in order, so that their banks can be looked at. */
    public void stop() throws Exception {
        front.stop();
        for (BackEndSample backEnd : backEnds) {
            backEnd.stop();
        }
    }

    @Override
    public void close() {
        if (front != null) {
            front.close();
        }
        backEnds.forEach(BackEndSample::close);
    }
}
