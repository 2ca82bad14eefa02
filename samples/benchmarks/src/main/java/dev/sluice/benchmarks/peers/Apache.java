package dev.sluice.benchmarks.peers;

import dev.sluice.benchmarks.run.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Apache's HTTP server with a fixed number of processes, each of which serves a connection to its end. */
public final class Apache {

    /** What it is called in the report. */
    public static final String NAME = "Apache, " + Apache.PROCESSES + " processes";
    /** Number of processes. */
    public static final int PROCESSES = 150;
    /** Number of connections that may wait to be accepted: its own default. */
    public static final int BACKLOG = 511;
    /** What to install where it is missing. */
    public static final String ABSENCE = NAME + ": install apache2-bin (Debian) or httpd";

    private static final List<String> PROGRAMS = List.of("apache2", "httpd");
    private static final List<Path> MODULES = List.of(Path.of("/usr/lib/apache2/modules"),
            Path.of("/usr/lib64/httpd/modules"), Path.of("/usr/lib/httpd/modules"));
    private static final String PREFORK = "mod_mpm_prefork.so";

    // Its own defaults, apart from the number of processes, and that a connection may have any number of requests.
    private static final String CONFIGURATION = """
            ServerRoot "%1$s"
            DefaultRuntimeDir "%1$s"
            PidFile "%1$s/apache.pid"
            ErrorLog "%1$s/apache-error.log"
            ServerName localhost
            Listen 127.0.0.1:%2$d
            ListenBacklog %6$d
            LoadModule mpm_prefork_module "%3$s/mod_mpm_prefork.so"
            LoadModule authz_core_module "%3$s/mod_authz_core.so"
            <IfModule !mod_unixd.c>
                LoadModule unixd_module "%3$s/mod_unixd.so"
            </IfModule>
            %7$s
            StartServers %5$d
            MinSpareServers %5$d
            MaxSpareServers %5$d
            ServerLimit %5$d
            MaxRequestWorkers %5$d
            MaxConnectionsPerChild 0
            MaxKeepAliveRequests 0
            EnableSendfile On
            DocumentRoot "%4$s"
            <Directory "%4$s">
                Require all granted
            </Directory>
            """;

    private Apache() {
    }

    /**
     * {@return it, if it is installed}
     *
     * @param host the host to run on
     * @param root the directory that is served
     */
    public static Optional<MeasuredPeer> find(Host host, Path root) {
        Optional<Path> program = PROGRAMS.stream().flatMap(name -> host.find(name).stream()).findFirst();
        Optional<Path> modules = MODULES.stream().filter(each -> Files.exists(each.resolve(PREFORK))).findFirst();
        Optional<Path> setsid = host.find("setsid");
        if (program.isEmpty() || modules.isEmpty() || setsid.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new MeasuredPeer(NAME,
                (where, name) -> start(setsid.get(), program.get(), modules.get(), where, name, root)));
    }

    private static ServerProcess.Starting start(Path setsid, Path program, Path modules, Host host, String name,
            Path root) throws IOException {
        int port = ServerProcess.freePort();
        Path directory = Files.createDirectories(host.directory().resolve("apache"));
        Path file = directory.resolve("apache.conf");
        Files.writeString(file, CONFIGURATION.formatted(directory, port, modules, root, PROCESSES, BACKLOG, user()));
        // When it ends, it ends its whole process group, to which the benchmarks would belong.
        return ServerProcess.program(host, name, port,
                List.of(setsid.toString(), program.toString(), "-f", file.toString(), "-D", "FOREGROUND"));
    }

    /** Apache does not serve as root. It then becomes the user nobody, who must be able to read the files. */
    private static String user() {
        if (!System.getProperty("user.name").equals("root")) {
            return "";
        }
        String group = Stream.of("nogroup", "nobody").filter(Apache::isGroup).findFirst().orElse("nobody");
        return "User nobody\nGroup " + group;
    }

    private static boolean isGroup(String name) {
        try (Stream<String> groups = Files.lines(Path.of("/etc/group"))) {
            return groups.anyMatch(line -> line.startsWith(name + ":"));
        } catch (IOException e) {
            return false;
        }
    }
}
