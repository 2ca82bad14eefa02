package dev.sluice.benchmarks.peers;

import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.samples.Main;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All HTTP servers of files on this machine that need one thread. */
public final class WebServers {

    /** The contestant that the others are compared with. */
    public static final String BASELINE = "nginx";
    /** The same without {@code tcp_nopush}. */
    private static final String WITHOUT_NO_PUSH = BASELINE + ", tcp_nopush off";
    /** The names of nginx in each configuration. */
    public static final List<String> CONFIGURATIONS = List.of(BASELINE, WITHOUT_NO_PUSH);
    /** What to install where that is missing. */
    public static final String NGINX_ABSENCE = BASELINE + ": install nginx-light or nginx";

    private final List<MeasuredPeer> contestants = new ArrayList<>();
    private final List<String> absences = new ArrayList<>();

    private WebServers() {
    }

    /**
     * Finds the servers that can take part.
     *
     * @param scale says how many are wanted
     * @param host  the host to run on
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

    /** {@return the names of the servers of this library} */
    public static List<String> ours() {
        return List.of(name("Reactor", Mechanism.choose(Mechanism.AUTO, Mode.SYNCHRONOUS).name()),
                name("Proactor", Mechanism.choose(Mechanism.AUTO, Mode.ASYNCHRONOUS).name()));
    }

    private static String name(String pattern, String demultiplexer) {
        return "Sluice " + pattern + ", " + demultiplexer;
    }

    /** {@return the servers that take part} */
    public List<MeasuredPeer> contestants() {
        return contestants;
    }

    /** {@return the servers that do not take part, with the reason: a line each} */
    public List<String> absences() {
        return absences;
    }

    private void addSluice(String pattern, String io, Mode mode, Path root) {
        String demultiplexer = Mechanism.choose(Mechanism.AUTO, mode).name();
        contestants.add(new MeasuredPeer(name(pattern, demultiplexer),
                (host, name) -> ServerProcess.java(host, "web " + name, List.of(), Main.class, "web", "--port", "0",
                        "--root", root.toString(), "--io", io, "--threads", "1", "--demultiplexer", demultiplexer)));
    }

    private void addNginx(Scale scale, Host host, Path root) {
        Optional<MeasuredPeer> found = nginx(host, root);
        if (found.isEmpty()) {
            absences.add(NGINX_ABSENCE);
        } else {
            contestants.add(found.get());
            if (scale != Scale.SMALLEST) {
                nginxWithoutNoPush(host, root).ifPresent(contestants::add);
            }
        }
    }

    /**
     * {@return nginx, if it is installed}
     *
     * @param host the host to run on
     * @param root the directory that is served
     */
    public static Optional<MeasuredPeer> nginx(Host host, Path root) {
        return nginx(host, BASELINE, root, true);
    }

    /**
     * {@return the same without {@code tcp_nopush}, with which a reply may have to wait}
     *
     * @param host the host to run on
     * @param root the directory that is served
     */
    public static Optional<MeasuredPeer> nginxWithoutNoPush(Host host, Path root) {
        return nginx(host, WITHOUT_NO_PUSH, root, false);
    }

    private static Optional<MeasuredPeer> nginx(Host host, String name, Path root, boolean noPush) {
        return host.find("nginx").map(program -> new MeasuredPeer(name,
                (where, contestant) -> Nginx.start(program, where, contestant, root, noPush)));
    }

    private void addNetty(Path root) {
        boolean epoll = NettyTransport.EPOLL.unavailability().isEmpty();
        NettyTransport transport = epoll ? NettyTransport.EPOLL : NettyTransport.NIO;
        contestants.add(new MeasuredPeer(epoll ? "Netty epoll" : "Netty NIO",
                (host, name) -> ServerProcess.java(host, "web " + name, NettyTransport.javaOptions(), NettyFiles.class,
                        transport.name(), root.toString())));
    }
}
