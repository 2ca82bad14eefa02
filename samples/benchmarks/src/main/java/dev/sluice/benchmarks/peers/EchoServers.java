package dev.sluice.benchmarks.peers;

import dev.sluice.benchmarks.run.Host;
import dev.sluice.benchmarks.run.Scale;
import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.samples.Main;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All TCP echo servers on this machine that need one thread. */
public final class EchoServers {

    /** The contestant that the others are compared with. */
    public static final String BASELINE = "java.nio Selector";

    /** The main contestants of Sluice, where the system has epoll and io_uring. */
    public static final String REACTOR = "Sluice Reactor, epoll";
    /** On kernel completions. */
    public static final String PROACTOR = "Sluice Proactor, io_uring";
    /** On emulated completions. */
    public static final String EMULATED = "Sluice Proactor, emulated on epoll";
    /** The servers in C that Sluice is compared with. */
    public static final String C_EPOLL = "C epoll";
    /** On io_uring. */
    public static final String C_URING = "C io_uring";

    private static final String AIO = "java.nio AIO";
    private static final String NETTY_URING = "Netty io_uring";

    private final List<MeasuredPeer> contestants = new ArrayList<>();
    private final List<MeasuredPeer> further = new ArrayList<>();
    private final List<String> absences = new ArrayList<>();

    private EchoServers() {
    }

    /**
     * Finds the servers that can take part.
     *
     * @param scale says how many are wanted
     * @param host  the host to run on
     * @return who there is
     * @throws IOException if servers in C do not compile
     */
    public static EchoServers find(Scale scale, Host host) throws IOException {
        EchoServers found = new EchoServers();
        found.addSluice(scale);
        found.contestants.add(java(BASELINE, SelectorEcho.class));
        if (scale != Scale.SMALLEST) {
            if (scale == Scale.FULL) {
                found.contestants.add(java(AIO, AsynchronousChannelEcho.class));
                found.addNetty("Netty NIO", NettyTransport.NIO);
            }
            found.addNetty("Netty epoll", NettyTransport.EPOLL);
            found.addNetty(NETTY_URING, NettyTransport.IO_URING);
            found.addC(C_EPOLL, "c_epoll", host);
            found.addC(C_URING, "c_uring", host);
        }
        return found;
    }

    /** {@return the names of those that a chart shows} */
    public static String[] shown() {
        return new String[] {PROACTOR, REACTOR, BASELINE, AIO, NETTY_URING, C_URING};
    }

    /** {@return those of the main comparison} */
    public List<MeasuredPeer> contestants() {
        return contestants;
    }

    /** {@return Sluice's other demultiplexers, at the full scale: compared in some shapes only} */
    public List<MeasuredPeer> further() {
        return further;
    }

    /** {@return the servers that do not take part, with the reason: a line each} */
    public List<String> absences() {
        return absences;
    }

    private void addSluice(Scale scale) {
        for (Mode mode : scale == Scale.SMALLEST ? List.of(Mode.SYNCHRONOUS)
                : List.of(Mode.SYNCHRONOUS, Mode.ASYNCHRONOUS)) {
            List<Mechanism> usable = Mechanism.available().stream()
                    .filter(factory -> factory.mode() == mode && factory.availability().usable()).toList();
            boolean emulated = false;
            for (Mechanism factory : usable) {
                // Best first: the best one, and the best emulation on the way to it.
                boolean main = factory == usable.get(0) || isEmulated(factory) && !emulated && scale == Scale.FULL;
                emulated |= isEmulated(factory);
                if (main) {
                    contestants.add(sluice(factory));
                } else if (scale == Scale.FULL) {
                    further.add(sluice(factory));
                }
            }
        }
    }

    /** What is emulated is named after the readiness that it stands on. */
    private static boolean isEmulated(Mechanism factory) {
        return factory.mode() == Mode.ASYNCHRONOUS && Mechanism.available().stream().anyMatch(
                each -> each.mode() == Mode.SYNCHRONOUS && each.name().equals(factory.name()));
    }

    private static MeasuredPeer sluice(Mechanism factory) {
        boolean reactor = factory.mode() == Mode.SYNCHRONOUS;
        String name = "Sluice " + (reactor ? "Reactor, " : "Proactor, ") + (isEmulated(factory) ? "emulated on " : "")
                + factory.name();
        return java(name, Main.class, "echo", "--port", "0", "--pattern", reactor ? "reactor" : "proactor",
                "--threads", "1", "--demultiplexer", factory.name());
    }

    private static MeasuredPeer java(String name, Class<?> main, String... arguments) {
        return new MeasuredPeer(name,
                (host, contestant) -> ServerProcess.java(host, contestant, List.of(), main, arguments));
    }

    private void addNetty(String name, NettyTransport transport) {
        Optional<Throwable> reason = transport.unavailability();
        if (reason.isPresent()) {
            absences.add(name + ": not usable here: " + reason.get().getMessage());
        } else {
            contestants.add(new MeasuredPeer(name, (host, contestant) -> ServerProcess.java(host, contestant,
                    NettyTransport.javaOptions(), NettyEcho.class, transport.name())));
        }
    }

    private void addC(String name, String program, Host host) throws IOException {
        Optional<Path> directory = host.serversInC();
        if (directory.isEmpty()) {
            absences.add(name + ": --c-servers specifies its directory");
            return;
        }
        Path executable = directory.get().resolve(program).toAbsolutePath();
        if (!Files.isExecutable(executable)) {
            Path source = directory.get().resolve(program + ".c").toAbsolutePath();
            Optional<Path> compiler = host.find("gcc");
            if (!Files.exists(source)) {
                absences.add(name + ": there is no " + program + " in " + directory.get());
                return;
            }
            if (compiler.isEmpty()) {
                absences.add(name + ": install gcc");
                return;
            }
            executable = host.directory().resolve(program);
            compile(compiler.get(), source, executable, host);
        }
        String command = executable.toString();
        contestants.add(new MeasuredPeer(name, (there, contestant) -> {
            int port = ServerProcess.freePort();
            return ServerProcess.program(there, contestant, port, List.of(command, Integer.toString(port)));
        }));
    }

    private static void compile(Path compiler, Path source, Path executable, Host host) throws IOException {
        Path log = host.directory().resolve("gcc.log");
        Process process = host.start(new ProcessBuilder(compiler.toString(), "-O2", "-march=native", "-o",
                executable.toString(), source.toString())
                .redirectErrorStream(true).redirectOutput(Redirect.to(log.toFile())));
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException(source + " does not compile; see " + log);
        }
    }
}
