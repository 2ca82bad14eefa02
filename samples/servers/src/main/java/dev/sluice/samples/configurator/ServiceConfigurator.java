package dev.sluice.samples.configurator;

import dev.sluice.connection.Acceptor;
import dev.sluice.eventloop.OsSignal;
import dev.sluice.reactor.Reactor;
import dev.sluice.reactor.ReactorGroup;
import dev.sluice.samples.server.Signals;
import dev.sluice.samples.server.StopRequest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pattern's Service Configurator: a thread of its own that waits for SIGHUP and for clients of a control address,
 * and reloads the server's configuration. The server's threads neither read configuration files nor close services.
 */
public final class ServiceConfigurator implements Executor, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ServiceConfigurator.class);

    /** The maximum duration of its end: it may be waiting for a file, such as a pipe for the log without a reader. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final ReactorGroup loop;
    private final Reactor reactor;
    private final Signals signals;
    private Configurable server;
    /** The control address; null if there is none. */
    private InetSocketAddress address;
    /** Waits for the end of the thread; null until it is to end. */
    private Thread end;

    /**
     * Opens the control address; no thread runs yet.
     *
     * @param control the control address; null for none
     * @param stop    the request to stop the server; the source of signals, and notified of the failure of the thread
     * @throws IOException if the system refuses
     */
    public ServiceConfigurator(InetSocketAddress control, StopRequest stop) throws IOException {
        this(control, stop, ControlConnection.TIMEOUT);
    }

    /** Opens the control address, with a time limit for each client. */
    ServiceConfigurator(InetSocketAddress control, StopRequest stop, Duration clientTime) throws IOException {
        loop = ReactorGroup.builder().loops(1).threadFactory(task -> new Thread(task, "configurator")).open();
        loop.onFailure(stop::fail);
        reactor = loop.loops().get(0);
        signals = stop.signals();
        try {
            if (control != null) {
                listen(control, clientTime);
            }
        } catch (Throwable e) {
            loop.close();
            throw e;
        }
    }

    private void listen(InetSocketAddress control, Duration clientTime) throws IOException {
        ControlConnections open = new ControlConnections();
        Acceptor acceptor = Acceptor.listen(reactor, control, () -> new ControlConnection(this, open, clientTime));
        address = (InetSocketAddress) acceptor.localAddress();
        LOG.info("control on {}", address);
    }

    /** {@return the control address; null if there is none} */
    InetSocketAddress address() {
        return address;
    }

    /**
     * Starts the thread that waits for signals and clients.
     *
     * @param configurable the server to reload
     */
    public void start(Configurable configurable) {
        server = configurable;
        try {
            signals.register(reactor, OsSignal.HUP, this::reload);
        } catch (UnsupportedOperationException e) {
            LOG.info("reloading the configuration by a signal is not possible: {}", e.getMessage());
        }
        loop.start();
    }

    /**
     * Runs a task periodically on its thread.
     *
     * @param task     the task
     * @param interval from now to the first time, and between two
     */
    public void repeat(Runnable task, Duration interval) {
        reactor.schedule(token -> task.run(), null, interval, interval);
    }

    /** Reloads the server's configuration, and returns the result in lines. For its thread. */
    List<String> reload() {
        return attempt(() -> {
            String result = server.reload();
            LOG.info("{}", result);
            return List.of("ok: " + result);
        });
    }

    /** Does what a line says, and returns the result in lines. For its thread. */
    List<String> obey(String line) {
        int blank = line.indexOf(' ');
        String verb = blank < 0 ? line : line.substring(0, blank);
        return switch (line) {
            case "reload" -> reload();
            case "status" -> status();
            default -> attempt(() -> {
                List<String> result = server.command(verb, blank < 0 ? "" : line.substring(blank).strip());
                return result != null ? result : List.of("error: unknown command; the commands are reload, status"
                        + server.verbs().stream().map(each -> ", " + each).collect(Collectors.joining()));
            });
        };
    }

    /** Something that may find the configuration wrong. */
    @FunctionalInterface
    private interface Attempt {
        List<String> run() throws ConfigurationException;
    }

    private static List<String> attempt(Attempt attempt) {
        try {
            return attempt.run();
        } catch (ConfigurationException e) {
            List<String> lines = new ArrayList<>();
            for (String problem : e.problems()) {
                LOG.error("{}", problem);
                lines.add("error: " + problem);
            }
            return lines;
        } catch (RuntimeException | Error e) {
            LOG.error("the configuration is unchanged", e);
            return List.of("error: " + e);
        }
    }

    List<String> status() {
        return server.status();
    }

    /** Runs a task on its thread. */
    @Override
    public void execute(Runnable task) {
        reactor.execute(task);
    }

    /** Starts no further task, and waits a limited time for the current one. */
    public void stop() {
        if (end != null) {
            return;
        }
        end = new Thread(loop::close, "configurator-end");
        end.setDaemon(true);
        end.start();
        try {
            end.join(TIMEOUT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (end.isAlive()) {
            LOG.warn("stopping while a configuration is still being read");
        }
    }

    @Override
    public void close() {
        stop();
    }
}
