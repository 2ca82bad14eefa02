package dev.sluice.samples.gopher;

import dev.sluice.samples.io.AccessLog;
import dev.sluice.samples.io.FileServerOptions;
import dev.sluice.samples.io.FileServiceOptions;
import dev.sluice.samples.io.FileThreads;
import dev.sluice.samples.io.FileTraffic;
import dev.sluice.samples.io.TransferFilterKind;
import dev.sluice.samples.web.files.CachedFileSystem;
import dev.sluice.samples.web.files.FileOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice gopher}. */
@Command(name = "gopher", mixinStandardHelpOptions = true, sortOptions = false,
        description = "A Gopher server (RFC 1436), on the web server's framework: menus, text and other files.")
public final class GopherCommand implements Callable<Integer> {

    private static final int LARGEST_LIMIT = 1 << 20;

    @Parameters(paramLabel = "DIRECTORY", description = "Directory to serve; files outside of it are not served.")
    private Path root;

    @Option(names = "--name", paramLabel = "HOST",
            description = "Host name of this server in menus (default: the address that the client has connected to).")
    private String name;

    @Option(names = "--max-selector", paramLabel = "BYTES", defaultValue = "4096",
            description = "Maximum length of a selector, including anything that follows it (default: "
                    + "${DEFAULT-VALUE}).")
    private int maxSelector;

    @Option(names = "--filters", paramLabel = "LIST", split = ",", defaultValue = "throttling,logging",
            description = "Filters of replies: throttling (--rate), logging (--access-log), others that ServiceLoader "
                    + "finds; or none (default: ${DEFAULT-VALUE}).")
    private List<String> filters;

    @Mixin
    private FileServerOptions options;

    /** For picocli. */
    public GopherCommand() {
    }

    @Override
    public Integer call() throws Exception {
        options.apply();
        options.server().requireNamed("DIRECTORY", root);
        options.server().requireNamed("--name", name);
        options.server().requireRange("--max-selector", maxSelector, 1, LARGEST_LIMIT);
        if (name != null && name.chars().anyMatch(each -> each <= ' ' || each == 0x7F)) {
            throw options.server().bad("--name must not have blanks or control characters");
        }
        FileServiceOptions service = options.service();
        service.requireConsistent(options.server());
        TransferFilterKind.require(filters, TransferFilterKind.found().keySet(), options.server());
        service.requireFilters(filters.contains(TransferFilterKind.THROTTLING.toString()),
                filters.contains(TransferFilterKind.LOGGING.toString()), options.server());
        try (CachedFileSystem files = service.openFiles(service.openRoot("DIRECTORY", root), 0,
                List.of(FileOptions.INDEX_PAGE), options.cacheMemory()); AccessLog log = service.openLog();
                FileThreads threads = new FileThreads()) {
            options.serve(new GopherProtocol(files, threads, name, maxSelector, service.timeouts(),
                    new FileTraffic(options.ways()), TransferFilterKind.stack(filters, service)), log);
        }
        return 0;
    }
}
