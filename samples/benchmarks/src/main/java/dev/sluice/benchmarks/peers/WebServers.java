package dev.sluice.benchmarks.peers;

import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.demultiplexer.DemultiplexerFactory.Mode;
import dev.sluice.demultiplexer.Demultiplexers;
import dev.sluice.samples.Main;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Everybody here who can serve files over HTTP with one thread. */
public final class WebServers {

    /** The contestant that the others are compared with. */
    public static final String BASELINE = "nginx";

    private final List<Contestant> contestants = new ArrayList<>();
    private final List<String> absences = new ArrayList<>();

    private WebServers() {
    }

    /**
     * Finds out who can take part.
     *
     * @param scale says how many are wanted
     * @param host  where
     * @param root  the directory that is served
     * @return who there is
     */
    public static WebServers find(Scale scale, Host host, Path root) {
        WebServers found = new WebServers();
        found.addSluice("Reactor", "reactive", Mode.SYNCHRONOUS, root);
        if (scale != Scale.SMALLEST) {
            found.addSluice("Proactor", "proactive", Mode.ASYNCHRONOUS, root);
        }
        found.addNginx(scale, host, root);
        if (scale != Scale.SMALLEST) {
            found.addNetty(root);
        }
        return found;
    }

    /** {@return who takes part} */
    public List<Contestant> contestants() {
        return contestants;
    }

    /** {@return who does not take part, and why: a line each} */
    public List<String> absences() {
        return absences;
    }

    private void addSluice(String pattern, String io, Mode mode, Path root) {
        String demultiplexer = Demultiplexers.choose(Demultiplexers.AUTO, mode).name();
        contestants.add(new Contestant("Sluice " + pattern + ", " + demultiplexer,
                (host, name) -> ServerProcess.java(host, "web " + name, List.of(), Main.class, "web", "--port", "0",
                        "--root", root.toString(), "--io", io, "--demultiplexer", demultiplexer)));
    }

    private void addNginx(Scale scale, Host host, Path root) {
        Optional<Path> program = host.find("nginx");
        if (program.isEmpty()) {
            absences.add(BASELINE + ": install nginx-light or nginx");
        } else {
            contestants.add(nginx(BASELINE, program.get(), root, true));
            if (scale != Scale.SMALLEST) {
                contestants.add(nginx(BASELINE + ", tcp_nopush off", program.get(), root, false));
            }
        }
    }

    private static Contestant nginx(String name, Path program, Path root, boolean noPush) {
        return new Contestant(name, (host, contestant) -> Nginx.start(program, host, contestant, root, noPush));
    }

    private void addNetty(Path root) {
        boolean epoll = NettyTransport.EPOLL.unavailability().isEmpty();
        NettyTransport transport = epoll ? NettyTransport.EPOLL : NettyTransport.NIO;
        contestants.add(new Contestant(epoll ? "Netty epoll" : "Netty NIO",
                (host, name) -> ServerProcess.java(host, "web " + name, NettyTransport.javaOptions(), NettyFiles.class,
                        transport.name(), root.toString())));
    }
}
