package dev.sluice.benchmarks.seda.web;

import dev.sluice.benchmarks.peers.Apache;
import dev.sluice.benchmarks.peers.MeasuredPeer;
import dev.sluice.benchmarks.peers.ServerProcess;
import dev.sluice.benchmarks.peers.WebServers;
import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.samples.Main;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The contestants. */
final class Servers {

    static final String COARSE = "Sluice Haboob, coarse";
    static final String ALL = "Sluice Haboob, all stages";
    static final String PROACTIVE = "Sluice web, proactive";
    static final String REACTIVE = "Sluice web, reactive";
    /** As many as Apache has processes. */
    static final String THREADS = "Sluice web, " + Apache.PROCESSES + " threads";

    /** Those that clients have closed may not have been noticed yet. */
    private static final int CONNECTIONS = 2_048;

    private final List<MeasuredPeer> contestants = new ArrayList<>();
    private final List<String> absences = new ArrayList<>();

    /**
     * Finds the servers that can take part.
     *
     * @param scale says how many are wanted
     * @param host  the host to run on
     * @param root  the directory that is served
     */
    Servers(Scale scale, Host host, Path root) {
        addHaboob(COARSE, root, "coarse");
        if (scale != Scale.SMALLEST) {
            addHaboob(ALL, root, "paper");
        }
        add(PROACTIVE, root, ConcurrencyStrategy.PROACTOR_PER_THREAD, "--threads", "1");
        if (scale != Scale.SMALLEST) {
            add(REACTIVE, root, ConcurrencyStrategy.REACTOR_PER_THREAD, "--threads", "1");
        }
        add(THREADS, root, ConcurrencyStrategy.THREAD_POOL, "--threads", Integer.toString(Apache.PROCESSES),
                "--backlog", Integer.toString(Apache.BACKLOG));
        if (scale != Scale.SMALLEST) {
            add(Apache.find(host, root), Apache.ABSENCE);
            add(WebServers.nginx(host, root), WebServers.NGINX_ABSENCE);
            WebServers.nginxWithoutNoPush(host, root).ifPresent(contestants::add);
        }
    }

    /** {@return the servers that take part} */
    List<MeasuredPeer> contestants() {
        return contestants;
    }

    /** {@return the servers that do not take part, with the reason: a line each} */
    List<String> absences() {
        return absences;
    }

    private void add(Optional<MeasuredPeer> contestant, String absence) {
        contestant.ifPresentOrElse(contestants::add, () -> absences.add(absence));
    }

    private void add(String contestant, Path root, ConcurrencyStrategy strategy, String... others) {
        List<String> options = new ArrayList<>(List.of("web", "--port", "0", "--root", root.toString(),
                "--concurrency", strategy.toString()));
        options.addAll(List.of(others));
        add(contestant, options);
    }

    private void addHaboob(String contestant, Path root, String stages) {
        add(contestant, List.of("haboob", "--port", "0", "--root", root.toString(), "--stages", stages,
                "--connections", Integer.toString(CONNECTIONS)));
    }

    private void add(String contestant, List<String> arguments) {
        contestants.add(new MeasuredPeer(contestant, (host, name) -> ServerProcess.java(host, "seda-web " + name,
                List.of(), Main.class, arguments.toArray(String[]::new))));
    }
}
