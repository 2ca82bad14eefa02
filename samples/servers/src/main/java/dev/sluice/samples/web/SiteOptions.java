package dev.sluice.samples.web;

import dev.sluice.samples.adaptation.Adaptable;
import dev.sluice.samples.configurator.Changeable;
import dev.sluice.samples.configurator.ConfiguredServices;
import dev.sluice.samples.configurator.ServiceDirective;
import dev.sluice.samples.io.FileServiceOptions;
import dev.sluice.samples.io.FileWays;
import dev.sluice.samples.io.TransferFilterKind;
import dev.sluice.samples.server.FileProblem;
import dev.sluice.samples.server.ServerOptions;
import dev.sluice.samples.server.UnusableOptionException;
import dev.sluice.samples.web.files.BundledSite;
import dev.sluice.samples.web.files.DocumentRoot;
import dev.sluice.samples.web.files.FileOptions;
import dev.sluice.samples.web.files.WritableDirectory;
import dev.sluice.samples.web.protocol.ContentSinks;
import dev.sluice.samples.web.protocol.FileHandler;
import dev.sluice.samples.web.protocol.Filter;
import dev.sluice.samples.web.protocol.HttpClock;
import dev.sluice.samples.web.protocol.Limits;
import dev.sluice.samples.web.protocol.MethodDispatch;
import dev.sluice.samples.web.protocol.Pipeline;
import dev.sluice.samples.web.protocol.PutHandler;
import dev.sluice.samples.web.protocol.RequestHandler;
import dev.sluice.samples.web.protocol.ServiceFilter;
import dev.sluice.samples.web.protocol.StatusHandler;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of every server of a web site: what it serves, and what it takes from its clients. */
public final class SiteOptions {

    private static final double SHORTEST_TIMEOUT = 0.01;
    private static final double LONGEST_TIMEOUT = 3600;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int LARGEST_LIMIT = 1 << 30;
    private static final int LARGEST_FILE = Integer.MAX_VALUE;

    @Changeable
    @Option(names = "--root", paramLabel = "DIR",
            description = "Directory to serve; files outside of it are not served (default: a small site about "
                    + "Sluice).")
    private Path root;

    @Changeable
    @Option(names = "--tilde", paramLabel = "FILE",
            description = "Serve the directory public_html in the home of each user below /~login; FILE lists the "
                    + "users, as /etc/passwd does, and is read again when it changes (default: off).")
    private Path tilde;

    @Changeable
    @Option(names = "--filters", paramLabel = "LIST", split = ",",
            defaultValue = "codings,conditions,ranges,throttling,logging",
            description = "Filters that replies go through: codings (.br and .gz files beside the plain ones, and "
                    + "gzip), conditions (If-Match and the like), ranges, throttling (--rate), logging "
                    + "(--access-log), and others by the names of those that ServiceLoader finds; or none (default: "
                    + "${DEFAULT-VALUE}).")
    private List<String> filters;

    @Changeable
    @Option(names = "--max-compressed", paramLabel = "BYTES", defaultValue = "1048576",
            description = "Maximum size of a file to compress for clients that accept gzip, once for each version "
                    + "that --cache keeps open; 0 for no compression (default: ${DEFAULT-VALUE}).")
    private int maxCompressed;

    @Changeable
    @Option(names = "--index", paramLabel = "LIST", split = ",", defaultValue = FileOptions.INDEX_PAGE,
            description = "Names of index pages, in the order of preference (default: "
                    + "${DEFAULT-VALUE}).")
    private List<String> indexPages;

    @Changeable
    @Option(names = "--listing", description = "Lists directories without an index page.")
    private boolean listing;

    @Changeable
    @Option(names = "--trace",
            description = "Answer TRACE with the request, without cookies and credentials.")
    private boolean trace;

    @Changeable
    @Option(names = "--max-head", paramLabel = "BYTES", defaultValue = "16384",
            description = "Maximum size of request line and header together, without line ends; half of it, at most "
                    + "8192, for the request line (default: ${DEFAULT-VALUE}).")
    private int maxHead;

    @Changeable
    @Option(names = "--max-content", paramLabel = "BYTES", defaultValue = "65536",
            description = "Maximum size of request content that is read and ignored (default: ${DEFAULT-VALUE}).")
    private int maxContent;

    @Changeable
    @Option(names = "--service", paramLabel = "'NAME OPTION=VALUE ...'",
            description = "Add a service by the name of one that ServiceLoader finds, with its options. May be given "
                    + "more than once (default: none).")
    private List<String> services = List.of();

    @Changeable
    @Option(names = "--service-timeout", paramLabel = "SECONDS", defaultValue = "10",
            description = "Maximum duration of init, suspend, resume, fini and info of a service; one that takes "
                    + "longer has failed (default: ${DEFAULT-VALUE}).")
    private double serviceTimeout;

    @Changeable
    @Option(names = "--suspended", paramLabel = "LIST", split = ",",
            description = "Names of services that are suspended (default: none of them).")
    private List<String> suspended = List.of();

    @Changeable
    @Option(names = "--status", paramLabel = "PATH",
            description = "Serve statistics of the cache at this path, such as /status, and as /status.csv, without "
                    + "authentication (default: off).")
    private String status;

    @Changeable
    @Option(names = "--put", paramLabel = "PATH",
            description = "Path below which clients may replace files with PUT, such as /inbox (default: none).")
    private String put;

    @Changeable
    @Option(names = "--max-put", paramLabel = "BYTES", defaultValue = "1073741824",
            description = "Maximum size of the content of a PUT (default: ${DEFAULT-VALUE}).")
    private int maxPut;

    /** For picocli. */
    public SiteOptions() {
    }

    /**
     * Checks each option by itself.
     *
     * @param server makes the exception
     * @throws ParameterException if one is wrong
     */
    public void check(ServerOptions server) {
        server.requireNamed("--root", root);
        server.requireNamed("--tilde", tilde);
        Filters.require(filters, server);
        server.requireRange("--max-compressed", maxCompressed, 0, LARGEST_LIMIT);
        for (String page : indexPages) {
            if (page.isBlank() || page.contains("/") || page.equals(".") || page.equals("..")) {
                throw server.bad("--index must be names of files, unlike '" + page + "'");
            }
        }
        server.requireRange("--max-head", maxHead, 64, LARGEST_LIMIT);
        server.requireRange("--max-content", maxContent, 0, LARGEST_LIMIT);
        if (status != null && !status.startsWith("/")) {
            throw server.bad("--status must begin with a slash, unlike " + status);
        }
        server.requireRange("--max-put", maxPut, 0, LARGEST_FILE);
        server.requireRange("--service-timeout", serviceTimeout, SHORTEST_TIMEOUT, LONGEST_TIMEOUT);
        for (String each : services) {
            try {
                ServiceDirective.parse(each);
            } catch (IllegalArgumentException e) {
                throw server.bad("--service: " + e.getMessage());
            }
        }
    }

    /** {@return the services that are to be there} */
    List<ServiceDirective> services() {
        return services.stream().map(ServiceDirective::parse).toList();
    }

    /** {@return the maximum duration of a hook of one of them} */
    Duration serviceTimeout() {
        return Duration.ofNanos(Math.round(serviceTimeout * NANOS_PER_SECOND));
    }

    /** {@return the names of those that are suspended} */
    Set<String> suspended() {
        return Set.copyOf(suspended);
    }

    /**
     * Checks options that depend on each other.
     *
     * @param service has some of them
     * @param server  makes the exception
     * @throws ParameterException if they contradict each other
     */
    public void requireConsistent(FileServiceOptions service, ServerOptions server) {
        service.requireFilters(filters.contains(TransferFilterKind.THROTTLING.toString()),
                filters.contains(TransferFilterKind.LOGGING.toString()), server);
    }

    /**
     * Opens what answers requests for the site.
     *
     * @param generation its number
     * @param figures    of the server, for its status page
     * @param service    how its files are kept open, and how patient it is
     * @param mapped     how much memory files may be mapped to, in octets
     * @param ways       the initial ways to send files
     * @param pinned     the settings that are not adapted to the load
     * @param before     puts a handler before the one that answers requests for the site
     * @param added      services that look at requests; owned by what is returned
     * @return the service, which the caller closes
     * @throws IOException if what an option names is not there, or cannot be read
     */
    HttpService openService(Generation generation, Supplier<Map<String, Object>> figures, FileServiceOptions service,
            int mapped, FileWays ways, Set<Adaptable> pinned, UnaryOperator<RequestHandler> before,
            ConfiguredServices added) throws IOException {
        WebSite opened = open(service, mapped);
        try {
            PutHandler replacing = put == null ? null : new PutHandler(writable(opened.documents()), opened.files(),
                    opened.clock(), maxPut, opened.limits().content());
            RequestHandler methods = new MethodDispatch(new FileHandler(opened.files(), listing), replacing, trace);
            RequestHandler handler = status == null ? methods
                    : new StatusHandler(status, figures, opened.files()::statistics, opened.clock(), methods);
            HttpService.Terms terms = new HttpService.Terms(opened.limits(), service.timeouts(), ways,
                    pinned);
            List<Filter> all = new ArrayList<>(ServiceFilter.of(added));
            all.addAll(Filters.stack(filters, opened, service));
            Pipeline pipeline = new Pipeline(opened.clock(), before.apply(handler), all);
            return new HttpService(generation, terms, pipeline, replacing == null ? ContentSinks.NONE : replacing,
                    opened, added);
        } catch (Throwable e) {
            opened.close();
            throw e;
        }
    }

    private WritableDirectory writable(DocumentRoot documents) throws IOException {
        try {
            return new WritableDirectory(documents, put);
        } catch (NotDirectoryException e) {
            throw new UnusableOptionException("--put", put + ": there is no such directory below the root", e);
        }
    }

    private WebSite open(FileServiceOptions service, int mapped) throws IOException {
        if (root != null) {
            return open(root, () -> { }, service, mapped);
        }
        BundledSite bundled = bundledSite();
        try {
            return open(bundled.directory(), bundled, service, mapped);
        } catch (Throwable e) {
            bundled.close();
            throw e;
        }
    }

    private static BundledSite bundledSite() throws IOException {
        try {
            return new BundledSite();
        } catch (IOException e) {
            throw new IOException("cannot copy the bundled site, which is served without --root: "
                    + FileProblem.describe(e) + "; -Djava.io.tmpdir sets another directory for it", e);
        }
    }

    private WebSite open(Path directory, Closeable owned, FileServiceOptions service, int mapped) throws IOException {
        Limits limits = new Limits(Math.min(maxHead / 2, Limits.DEFAULT.requestLine()), maxHead,
                Limits.DEFAULT.fields(), maxContent);
        DocumentRoot documents = service.openRoot("--root", directory);
        if (tilde != null) {
            documents = documents.expanding(service.openUsers("--tilde", tilde));
        }
        return new WebSite(documents, service.openFiles(documents, maxCompressed, indexPages, mapped),
                new HttpClock(Clock.systemUTC()), limits, owned);
    }
}
