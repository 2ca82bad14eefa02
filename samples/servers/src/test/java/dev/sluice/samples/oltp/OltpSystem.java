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
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A front end and two back-ends, all with the same pool model. */
public final class OltpSystem implements AutoCloseable {

    public static final int BACK_ENDS = 2;

    private final JavaHome java;
    private final Path directory;
    private final Object pool;
    private final Set<Integer> killable;
    private final List<BackEndSample> backEnds = new ArrayList<>();
    private final List<InetSocketAddress> addresses = new ArrayList<>();
    private LinkRelay relay;
    private String[] frontOptions;
    private RunningSample front;

    private OltpSystem(JavaHome java, Path directory, Object pool, Integer... killable) {
        this.java = java;
        this.directory = directory;
        this.pool = pool;
        this.killable = Set.of(killable);
    }

    /** Starts all in this JVM, and waits until the front end has connected. */
    public static OltpSystem start(Path directory, Object pool, String... options) throws Exception {
        return new OltpSystem(JavaHome.own(), directory, pool).start(false, options);
    }

    /** As {@link #start}, with a relay before the first back-end, which can hold what it and the front end send. */
    public static OltpSystem startRelayed(Path directory, Object pool, String... options) throws Exception {
        return new OltpSystem(JavaHome.own(), directory, pool).start(true, options);
    }

    /** As {@link #start}, on a Java, with these back-ends in processes of their own, which can be killed. */
    public static OltpSystem startKillable(JavaHome java, Path directory, Object pool, Integer... killable)
            throws Exception {
        return new OltpSystem(java, directory, pool, killable).start(false);
    }

    private OltpSystem start(boolean relayed, String... options) throws Exception {
        try {
            for (int i = 0; i < BACK_ENDS; i++) {
                // Where it can be again after it has ended.
                backEnds.add(startBackEnd(i, FreePort.find()));
            }
            for (BackEndSample backEnd : backEnds) {
                addresses.add(backEnd.address());
            }
            if (relayed) {
                relay = new LinkRelay(addresses.get(0));
                addresses.set(0, relay.address());
            }
            frontOptions = options;
            restartFront();
            awaitBackEnds(line -> line.contains("links=4"));
            return this;
        } catch (Throwable e) {
            close();
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
        return killable.contains(index) ? BackEndSample.startProcess(java, data(index), pool, port)
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

    /** {@return what stands before the first back-end of {@link #startRelayed}} */
    public LinkRelay relay() {
        return relay;
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
    public void close() throws IOException {
        if (front != null) {
            front.close();
        }
        if (relay != null) {
            relay.close();
        }
        backEnds.forEach(BackEndSample::close);
    }
}
