package dev.sluice.benchmarks.peers;

import dev.sluice.benchmarks.run.Host;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The servers of a suite, all alive until its end: those that are not being measured wait, and use no processor. */
public final class RunningServers implements Closeable {

    private final Map<String, ServerProcess> servers = new LinkedHashMap<>();

    private RunningServers() {
    }

    /**
     * Starts all contestants at once, or as many as the host allows, and waits until they accept.
     *
     * @param host it runs on
     * @param all  of which to start those that this machine has
     * @return the servers; the caller closes them
     * @throws IOException if one does not start
     */
    public static RunningServers start(Host host, List<MeasuredPeer> all) throws IOException {
        List<MeasuredPeer> contestants = all.stream().limit(host.maxServers()).toList();
        RunningServers running = new RunningServers();
        List<ServerProcess.Starting> starting = new ArrayList<>();
        try {
            for (MeasuredPeer contestant : contestants) {
                starting.add(contestant.starter().start(host, contestant.name()));
            }
            for (int i = 0; i < contestants.size(); i++) {
                running.servers.put(contestants.get(i).name(), starting.get(i).await());
            }
            return running;
        } catch (IOException | RuntimeException e) {
            starting.forEach(ServerProcess.Starting::close);
            throw e;
        } catch (InterruptedException e) {
            starting.forEach(ServerProcess.Starting::close);
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while servers start", e);
        }
    }

    /** {@return the names of the servers, in the order of their start} */
    public List<String> names() {
        return List.copyOf(servers.keySet());
    }

    /**
     * {@return a server, null if the host did not allow to start it}
     *
     * @param contestant its name
     */
    public ServerProcess of(String contestant) {
        return servers.get(contestant);
    }

    @Override
    public void close() {
        servers.values().forEach(ServerProcess::close);
    }
}
