package dev.sluice.samples.io;

import dev.sluice.samples.configurator.Changeable;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.StopRequest;
import dev.sluice.samples.web.files.FileOptions;
import java.io.IOException;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of a server that serves files by one of the strategies, for any protocol. */
public final class FileServerOptions {

    @Mixin
    private StrategyOptions strategies;

    @Changeable
    @Option(names = "--file-io", paramLabel = "WAY", defaultValue = "transmit",
            description = "How files are sent: transmit (inside the kernel), mmap, or read (default: "
                    + "${DEFAULT-VALUE}).")
    private FileIo fileIo;

    @Changeable
    @Option(names = "--cache-memory", paramLabel = "BYTES", defaultValue = "" + FileOptions.DEFAULT_MEMORY,
            description = "Maximum memory for mapped files with --file-io mmap; files beyond it are read (default: "
                    + "${DEFAULT-VALUE}).")
    private int cacheMemory;

    @Mixin
    private FileServiceOptions service;

    @Mixin
    private ServerOptions server;

    /** For picocli. */
    public FileServerOptions() {
    }

    /** {@return the options that do not depend on strategies} */
    public FileServiceOptions service() {
        return service;
    }

    /** {@return the maximum memory for mapped files, in octets} */
    public int cacheMemory() {
        return cacheMemory;
    }

    /** {@return the options of all servers} */
    public ServerOptions server() {
        return server;
    }

    /**
     * Checks the options that picocli cannot check, and applies them. To be called before anything native is
     * used.
     *
     * @throws ParameterException if one is wrong
     */
    public void apply() {
        strategies.apply(server);
        checkOwn();
    }

    /**
     * Checks each option by itself, and chooses the strategies that are left to choose.
     *
     * @throws ParameterException if one is wrong
     */
    public void check() {
        strategies.check(server);
        checkOwn();
    }

    private void checkOwn() {
        server.requireRange("--cache-memory", cacheMemory, 0, Integer.MAX_VALUE);
        service.check(server);
    }

    /**
     * Checks that the number of threads at the first port can change while the server runs.
     *
     * @throws ParameterException if it cannot
     */
    public void requirePool() {
        strategies.requirePool(server);
    }

    /** {@return the ways to send files} */
    public FileWays ways() {
        return FileWays.of(fileIo);
    }

    /** {@return the numbers of threads} */
    public ThreadCounts threads() {
        return strategies.threads();
    }

    /**
     * Serves until the process is asked to stop.
     *
     * @param protocol the protocol
     * @param log      of the requests; null for none
     * @throws IOException          if it cannot, or a thread fails that it cannot do without
     * @throws InterruptedException if the thread is interrupted
     */
    public void serve(Protocol protocol, AccessLog log) throws IOException, InterruptedException {
        serve(protocol, log, threads(), pools -> { }, server.newStopRequest(), false);
    }

    /**
     * Serves until the process is asked to stop, with threads that can become more or fewer.
     *
     * @param protocol the protocol
     * @param log      of the requests; null for none
     * @param counts   the initial numbers of threads
     * @param ready    called with the pools that serve, before the first port accepts its first connection
     * @param stop     notified of the failure of a thread that the server cannot work without
     * @param changes  whether the concurrency strategy of the first port may change meanwhile
     * @throws IOException          if it cannot, or a thread fails that it cannot do without
     * @throws InterruptedException if the thread is interrupted
     */
    public void serve(Protocol protocol, AccessLog log, ThreadCounts counts, Consumer<PortPools> ready,
            StopRequest stop, boolean changes) throws IOException, InterruptedException {
        strategies.serve(protocol, log, counts, ready, server, stop, changes);
    }
}
