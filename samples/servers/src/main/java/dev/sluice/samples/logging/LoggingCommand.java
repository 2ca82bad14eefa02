package dev.sluice.samples.logging;

import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.eventloop.OsSignal;
import dev.sluice.handle.SocketAcceptor;
import dev.sluice.handle.SocketDatagram;
import dev.sluice.handle.SystemCallException;
import dev.sluice.reactor.Reactor;
import dev.sluice.samples.server.Connections;
import dev.sluice.samples.server.EventLoopServer;
import dev.sluice.samples.server.FileDestination;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.StopRequest;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice logging}. */
@Command(name = "logging", mixinStandardHelpOptions = true,
        description = "A syslog server on a Reactor: RFC 5424 and RFC 3164 records over UDP and TCP (RFC 6587), to a "
                + "file and/or the console.")
public final class LoggingCommand implements Callable<Integer> {

    private static final Logger LOG = LoggerFactory.getLogger(LoggingCommand.class);
    private static final int RECEIVE_SIZE = 64 * 1024;
    /** Linux doubles it. */
    private static final int LARGEST_RECEIVE_BUFFER = Integer.MAX_VALUE / 2;
    private static final int ATTEMPTS = 16;
    private static final int LONGEST_QUEUE = 65_536;

    @Mixin
    private ServerOptions options;

    @Option(names = "--file", paramLabel = "PATH",
            description = "Append the records to this file, a line each. SIGHUP reopens it, for log rotation.")
    private Path file;

    @Option(names = "--console",
            description = "Print the records on standard output, after the ready line. On unless --file is "
                    + "given.")
    private boolean console;

    @Option(names = "--queue", paramLabel = "N", defaultValue = "64",
            description = "Maximum number of batches, of about 64 KiB, that wait to be written; beyond it, receiving "
                    + "is paused (default: ${DEFAULT-VALUE}).")
    private int queue;

    @Option(names = "--max-connections", paramLabel = "N", defaultValue = "2000",
            description = "Maximum number of TCP connections; further ones are closed immediately (default: "
                    + "${DEFAULT-VALUE}).")
    private int maxConnections;

    @Option(names = "--max-record", paramLabel = "BYTES", defaultValue = "65536",
            description = "Maximum length of a record; longer ones are counted and skipped. A connection buffers at "
                    + "most one record (default: ${DEFAULT-VALUE}).")
    private int maxRecord;

    @Option(names = "--receive-buffer", paramLabel = "BYTES", defaultValue = "4194304",
            description = "Receive buffer for bursts of datagrams, in bytes (SO_RCVBUF); datagrams dropped by the "
                    + "system are counted and reported (default: ${DEFAULT-VALUE}).")
    private int receiveBuffer;

    /** For picocli. */
    public LoggingCommand() {
    }

    /** The two sockets of the server, on the same port. */
    private record Sockets(SocketAcceptor stream, SocketDatagram datagram) {
    }

    @Override
    public Integer call() throws Exception {
        options.apply(Mode.SYNCHRONOUS, null);
        options.requireNamed("--file", file);
        options.requireRange("--queue", queue, 1, LONGEST_QUEUE);
        options.requireRange("--max-connections", maxConnections, 1, Integer.MAX_VALUE);
        options.requireRange("--receive-buffer", receiveBuffer, 1, LARGEST_RECEIVE_BUFFER);
        options.requireRange("--max-record", maxRecord, 1, SyslogFramer.LARGEST_MAX_RECORD);
        StopRequest stop = options.newStopRequest();
        GracePeriod grace = new GracePeriod(stop.grace());
        LoggingCounts counts;
        LogWriter writer = LogWriter.start(outlets(), queue, grace, stop::fail);
        try (writer) {
            counts = serve(writer, grace, stop);
        }
        LOG.info("{}", counts);
        return writer.isLossless() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private List<LogOutlet> outlets() throws IOException {
        List<LogOutlet> outlets = new ArrayList<>();
        if (file != null) {
            outlets.add(new LogOutlet(file.toString(), () -> new FileDestination(file)));
        }
        if (console || file == null) {
            outlets.add(new LogOutlet("standard output", options::console));
        }
        return outlets;
    }

    private LoggingCounts serve(LogWriter writer, GracePeriod grace, StopRequest stop) throws Exception {
        EventLoopServer<Reactor> server = new EventLoopServer<>("logging", 1,
                options::openReactor, stop);
        Reactor reactor = server.loops().get(0);
        // Closed in turn: the loop first, then what gathers its records.
        try (RecordCollector collector = new RecordCollector(reactor, writer, grace); server) {
            Connections connections = server.connections(reactor);
            Sockets sockets = open();
            try (SocketAcceptor stream = sockets.stream; SocketDatagram datagram = sockets.datagram) {
                ByteBuffer buffer = ByteBuffer.allocate(RECEIVE_SIZE);
                // The connections inherit it: a client that has gone without a word is found out in the end.
                stream.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
                LoggingAcceptor acceptor = new LoggingAcceptor(reactor, stream, collector, maxConnections, stop, grace,
                        () -> new LoggingHandler(collector, connections, buffer, maxRecord));
                ReceiveBuffer.size(datagram, receiveBuffer);
                new DatagramHandler(reactor, datagram, collector, connections, maxRecord).open();
                listenForHangUp(reactor, writer, stop);
                SocketAddress address = stream.localAddress();
                Closeable beginning = () -> {
                    grace.begin();
                    reactor.schedule(token -> collector.endSources(), null, grace.forSources());
                };
                server.serve(List.of(beginning, acceptor),
                        () -> options.announce("logging", address, reactor.demultiplexer()));
            }
            return collector.counts();
        }
    }

    // By custom, a syslog server reopens its files. Without a file the signal means that the terminal is gone.
    private void listenForHangUp(Reactor reactor, LogWriter writer, StopRequest stop) {
        try {
            stop.signals().register(reactor, OsSignal.HUP, file == null ? stop::request : writer::reopen);
        } catch (UnsupportedOperationException e) {
            LOG.debug("no log rotation by signal", e);
        }
    }

    // A port that the system chose for TCP may be taken for UDP.
    private Sockets open() throws IOException {
        InetSocketAddress address = options.address();
        for (int attempt = 1; ; attempt++) {
            SocketAcceptor stream = SocketAcceptor.open(address);
            try {
                return new Sockets(stream, SocketDatagram.open(stream.localAddress()));
            } catch (SystemCallException e) {
                stream.close();
                if (address.getPort() != 0 || !e.errorName().equals("EADDRINUSE") || attempt == ATTEMPTS) {
                    throw e;
                }
            } catch (Throwable e) {
                stream.close();
                throw e;
            }
        }
    }
}
