package dev.sluice.samples.dns;

import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.StopRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice dns}. */
@Command(name = "dns", mixinStandardHelpOptions = true,
        description = "A name server (RFC 1035) over UDP: several threads receive from one socket, in a "
                + "Leader/Followers pool.")
public final class DnsCommand implements Callable<Integer> {

    private static final Logger LOG = LoggerFactory.getLogger(DnsCommand.class);
    private static final int MAX_THREADS = 1024;

    @Mixin
    private ServerOptions options;

    @Option(names = "--threads", paramLabel = "N", defaultValue = "4",
            description = "Threads that answer queries (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(names = "--zone", paramLabel = "PATH",
            description = "Master file of the zone to serve; SIGHUP reloads it. By default, the names of the hosts "
                    + "file are served.")
    private Path zone;

    /** For picocli. */
    public DnsCommand() {
    }

    @Override
    public Integer call() throws Exception {
        options.apply(Mode.SYNCHRONOUS, null);
        options.requireRange("--threads", threads, 1, MAX_THREADS);
        options.requireNamed("--zone", zone);
        StopRequest stop = options.newStopRequest();
        QueryCounts counts = new QueryCounts();
        try (SocketDatagram socket = SocketDatagram.open(options.address());
                NameServer server = new NameServer(socket, this::read, options.demultiplexer(), threads, counts,
                        stop)) {
            LOG.info("serving {}", server.names());
            options.announce("dns", socket.localAddress(), server.demultiplexer());
            stop.await();
        }
        LOG.info("{}", counts);
        if (stop.failure() != null) {
            throw new IOException("the server failed: " + stop.failure(), stop.failure());
        }
        return ExitCode.OK;
    }

    private Names read() throws IOException {
        return zone == null ? HostNames.read(HostNames.file()) : ZoneFile.read(zone);
    }
}
