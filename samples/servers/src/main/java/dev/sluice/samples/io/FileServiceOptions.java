package dev.sluice.samples.io;

import dev.sluice.calls.Platform;
import dev.sluice.samples.configurator.Changeable;
import dev.sluice.samples.server.ConsoleDestination;
import dev.sluice.samples.server.FileDestination;
import dev.sluice.samples.server.FileProblem;
import dev.sluice.samples.server.LineDestination;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.Surroundings;
import dev.sluice.samples.server.UnusableOptionException;
import dev.sluice.samples.web.files.CachedFileSystem;
import dev.sluice.samples.web.files.DocumentRoot;
import dev.sluice.samples.web.files.TildeExpander;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of every server that serves files, for any protocol and strategy: its open files and timeouts. */
public final class FileServiceOptions {

    /** In seconds. */
    private static final double SHORTEST_TIMEOUT = 0.05;
    private static final double LONGEST_TIMEOUT = 86_400;
    /** Below this, a head alone could take longer than the idle timeout. */
    private static final int MIN_RATE = 1024;

    @Mixin
    private CacheOptions cache;

    @Changeable
    @Option(names = "--access-log", paramLabel = "FILE",
            description = "Append a line to this file for each reply, in Common Log Format; - prints them on standard "
                    + "output (default: no log).")
    private String accessLog;

    @Changeable
    @Option(names = "--idle-timeout", paramLabel = "SECONDS", defaultValue = "30",
            description = "Maximum time that a connection may stay open without a request, or without reading any of "
                    + "a reply, which is detected after at most twice that time (default: ${DEFAULT-VALUE}).")
    private Duration idleTimeout;

    @Changeable
    @Option(names = "--request-timeout", paramLabel = "SECONDS", defaultValue = "10",
            description = "Maximum time for a request to arrive, from its first byte to its last (default: "
                    + "${DEFAULT-VALUE}).")
    private Duration requestTimeout;

    @Changeable
    @Option(names = "--rate", paramLabel = "BYTES", defaultValue = "0",
            description = "Maximum rate at which each connection is sent to, in bytes per second; 0 for no limit "
                    + "(default: ${DEFAULT-VALUE}).")
    private int rate;

    private final Surroundings surroundings;

    /**
     * For picocli.
     *
     * @param surroundings the surroundings of the server
     */
    public FileServiceOptions(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    /**
     * Checks each option by itself.
     *
     * @param server makes the exception
     * @throws ParameterException if one is wrong
     */
    public void check(ServerOptions server) {
        cache.check(server);
        server.requireNamed("--access-log", accessLog);
        server.requireRange("--idle-timeout", idleTimeout, SHORTEST_TIMEOUT, LONGEST_TIMEOUT);
        if (rate != 0) {
            server.requireRange("--rate", rate, MIN_RATE, Integer.MAX_VALUE);
        }
        server.requireRange("--request-timeout", requestTimeout, SHORTEST_TIMEOUT, LONGEST_TIMEOUT);
    }

    /**
     * Checks options that depend on each other.
     *
     * @param server makes the exception
     * @throws ParameterException if they contradict each other
     */
    public void requireConsistent(ServerOptions server) {
        cache.requireConsistent(server);
    }

    /**
     * Checks that there are filters for what is asked of them.
     *
     * @param throttles whether there is one that throttles
     * @param logs      whether there is one that logs
     * @param server    makes the exception
     * @throws ParameterException if one is missing
     */
    public void requireFilters(boolean throttles, boolean logs, ServerOptions server) {
        if (rate != 0 && !throttles) {
            throw server.bad("--rate", "--rate needs the filter throttling, which --filters leaves out");
        }
        if (accessLog != null && !logs) {
            throw server.bad("--access-log", "--access-log needs the filter logging, which --filters leaves out");
        }
    }

    /** {@return whether an access log was requested} */
    boolean isLogged() {
        return accessLog != null;
    }

    /** {@return the timeouts of a connection} */
    public Timeouts timeouts() {
        return new Timeouts(idleTimeout.toNanos(), requestTimeout.toNanos());
    }

    /** {@return the maximum rate of a connection, in octets per second; 0 for no limit} */
    long rate() {
        return rate;
    }

    /**
     * Opens the directory to serve.
     *
     * @param option    what names it, for the message
     * @param directory its path
     * @return the directory
     * @throws IOException if there is none, or the system refuses
     */
    public DocumentRoot openRoot(String option, Path directory) throws IOException {
        try {
            return new DocumentRoot(directory, surroundings.system().get());
        } catch (NoSuchFileException | NotDirectoryException e) {
            throw new UnusableOptionException(option, directory + ": there is no such directory", e);
        } catch (FileSystemException e) {
            throw new UnusableOptionException(option, FileProblem.describe(e), e);
        }
    }

    /**
     * Reads who has a directory of their own.
     *
     * @param option has named the file
     * @param passwd the file
     * @return leads to the directories of users
     * @throws IOException if the file cannot be read, or if there are no such directories on this system
     */
    public TildeExpander openUsers(String option, Path passwd) throws IOException {
        if (surroundings.system().get() == Platform.Os.WINDOWS) {
            throw new UnusableOptionException(option, passwd + ": Windows has no file of users and homes", null);
        }
        try {
            return new TildeExpander(passwd);
        } catch (FileSystemException e) {
            throw new UnusableOptionException(option, FileProblem.describe(e), e);
        }
    }

    /**
     * Opens the files below a directory.
     *
     * @param root           the directory
     * @param maxCompressed size of the largest file to compress, in octets; 0 for none
     * @param indexPages     names of the file that stands for a directory, the best one first
     * @param mapped         how much memory files may be mapped to, in octets
     * @return the files, which the caller closes
     * @throws IOException if a file that an option names cannot be read
     */
    public CachedFileSystem openFiles(DocumentRoot root, int maxCompressed, List<String> indexPages, int mapped)
            throws IOException {
        return cache.openFiles(root, maxCompressed, indexPages, mapped);
    }

    /**
     * Opens the access log.
     *
     * @return the log, which the caller closes; null if there is to be none
     * @throws IOException if its file cannot be opened
     */
    public AccessLog openLog() throws IOException {
        LineDestination destination = openLogDestination();
        return destination == null ? null : new AccessLog(destination);
    }

    /**
     * Opens the destination of the access log.
     *
     * @return the destination, which the caller closes; null if there is to be none
     * @throws IOException if its file cannot be opened
     */
    public LineDestination openLogDestination() throws IOException {
        if (accessLog == null) {
            return null;
        }
        try {
            return accessLog.equals("-") ? new ConsoleDestination(surroundings.console())
                    : new FileDestination(Path.of(accessLog));
        } catch (IOException | InvalidPathException e) {
            throw new UnusableOptionException("--access-log", FileProblem.describe(e), e);
        }
    }
}
