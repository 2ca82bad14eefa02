package dev.sluice.samples.web;

import dev.sluice.samples.server.ConsoleDestination;
import dev.sluice.samples.server.FileDestination;
import dev.sluice.samples.server.FileProblem;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.web.files.BundledSite;
import dev.sluice.samples.web.files.CacheStrategy;
import dev.sluice.samples.web.files.CachedFileSystem;
import dev.sluice.samples.web.files.DocumentRoot;
import dev.sluice.samples.web.protocol.FileResponder;
import dev.sluice.samples.web.protocol.Limits;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice web}. */
@Command(name = "web", mixinStandardHelpOptions = true, sortOptions = false,
        description = "An HTTP/1.1 file server: GET and HEAD with ranges and validators, keep-alive, pipelining.")
public final class WebCommand implements Callable<Integer> {

    private static final int MOST_THREADS = 1024;
    private static final int OPEN_FILES = 256;
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);
    private static final int LONGEST_TIMEOUT = 86_400;
    private static final int LARGEST_LIMIT = 1 << 30;

    @Option(names = "--root", paramLabel = "DIR",
            description = "Directory to serve; nothing outside of it is (default: a small site about Sluice).")
    private Path root;

    @Option(names = "--io", paramLabel = "STRATEGY", defaultValue = "reactive",
            description = "Which way octets move: reactive (readiness) or proactive (completion) (default: "
                    + "${DEFAULT-VALUE}).")
    private IoStrategy io;

    @Option(names = "--file-io", paramLabel = "WAY", defaultValue = "transmit",
            description = "How a file travels to the socket: transmit (inside the kernel), mmap, or read (default: "
                    + "${DEFAULT-VALUE}).")
    private FileIo fileIo;

    @Option(names = "--cache", paramLabel = "STRATEGY", defaultValue = "lru",
            description = "Which of " + OPEN_FILES + " open files makes room for another: lru (the least recently "
                    + "used), lfu (the least frequently used); none keeps no file open (default: ${DEFAULT-VALUE}).")
    private CacheStrategy cache;

    @Option(names = "--threads", paramLabel = "N", defaultValue = "1",
            description = "Event loops, each in a thread of its own; the first one accepts and hands connections out "
                    + "in turn (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(names = "--access-log", paramLabel = "FILE",
            description = "Append a line to this file for each reply, in Common Log Format; - prints them on standard "
                    + "output (default: no log).")
    private String accessLog;

    @Option(names = "--max-head", paramLabel = "BYTES", defaultValue = "16384",
            description = "Longest request line and header together; half of it for the request line, 8192 at most "
                    + "(default: ${DEFAULT-VALUE}).")
    private int maxHead;

    @Option(names = "--max-content", paramLabel = "BYTES", defaultValue = "65536",
            description = "Longest content of a request, which is read and ignored (default: ${DEFAULT-VALUE}).")
    private int maxContent;

    @Option(names = "--idle-timeout", paramLabel = "SECONDS", defaultValue = "30",
            description = "How long a connection may stay open without a request, or without taking anything of a "
                    + "reply (default: ${DEFAULT-VALUE}).")
    private int idleTimeout;

    @Option(names = "--request-timeout", paramLabel = "SECONDS", defaultValue = "10",
            description = "How long a request may take to arrive, from its first byte to its last (default: "
                    + "${DEFAULT-VALUE}).")
    private int requestTimeout;

    @Mixin
    private ServerOptions options;

    /** For picocli. */
    public WebCommand() {
    }

    @Override
    public Integer call() throws Exception {
        options.apply(io.mode(), io == IoStrategy.REACTIVE ? "--io proactive" : "--io reactive");
        options.requireNamed("--root", root);
        options.requireNamed("--access-log", accessLog);
        options.requireRange("--threads", threads, 1, MOST_THREADS);
        options.requireRange("--max-head", maxHead, 64, LARGEST_LIMIT);
        options.requireRange("--max-content", maxContent, 0, LARGEST_LIMIT);
        options.requireRange("--idle-timeout", idleTimeout, 1, LONGEST_TIMEOUT);
        options.requireRange("--request-timeout", requestTimeout, 1, LONGEST_TIMEOUT);
        if (root != null) {
            serve(root);
        } else {
            try (BundledSite site = new BundledSite()) {
                serve(site.directory());
            }
        }
        return 0;
    }

    private void serve(Path directory) throws IOException, InterruptedException {
        Limits limits = new Limits(Math.min(maxHead / 2, Limits.DEFAULT.requestLine()), maxHead,
                Limits.DEFAULT.fields(), maxContent);
        Timeouts timeouts = new Timeouts(Duration.ofSeconds(idleTimeout).toNanos(),
                Duration.ofSeconds(requestTimeout).toNanos());
        try (CachedFileSystem files = new CachedFileSystem(open(directory), cache, OPEN_FILES, CHECK_INTERVAL);
                AccessLog log = openLog()) {
            FileResponder responder = new FileResponder(files, Clock.systemUTC());
            io.serve(new WebService(responder, limits, timeouts, fileIo, log), options, threads);
        }
    }

    private static DocumentRoot open(Path directory) throws IOException {
        try {
            return new DocumentRoot(directory);
        } catch (NoSuchFileException | NotDirectoryException e) {
            throw new IOException("--root " + directory + ": there is no such directory", e);
        } catch (FileSystemException e) {
            throw new IOException("--root " + FileProblem.describe(e), e);
        }
    }

    private AccessLog openLog() throws IOException {
        if (accessLog == null) {
            return null;
        }
        return new AccessLog(accessLog.equals("-") ? new ConsoleDestination()
                : new FileDestination(Path.of(accessLog)));
    }
}
