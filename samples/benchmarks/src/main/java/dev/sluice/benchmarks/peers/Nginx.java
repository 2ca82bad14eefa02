package dev.sluice.benchmarks.peers;

import dev.sluice.benchmarks.run.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** nginx with one worker, set up for static files as its documentation recommends. */
final class Nginx {

    private static final String CONFIGURATION = """
            worker_processes 1;
            worker_rlimit_nofile 8192;
            pid %1$s/nginx.pid;
            error_log %1$s/nginx-error.log;
            events {
                worker_connections 4096;
            }
            http {
                access_log off;
                default_type application/octet-stream;
                sendfile on;
                tcp_nopush %4$s;
                tcp_nodelay on;
                keepalive_requests 1000000000;
                open_file_cache max=256 inactive=60s;
                open_file_cache_valid 1s;
                client_body_temp_path %1$s/nginx-body;
                proxy_temp_path %1$s/nginx-proxy;
                fastcgi_temp_path %1$s/nginx-fastcgi;
                uwsgi_temp_path %1$s/nginx-uwsgi;
                scgi_temp_path %1$s/nginx-scgi;
                server {
                    listen 127.0.0.1:%2$d backlog=4096;
                    root %3$s;
                }
            }
            """;

    private Nginx() {
    }

    /**
     * Starts it.
     *
     * @param program its executable
     * @param host    the host to run on
     * @param name    of the contestant
     * @param root    the directory to serve
     * @param noPush  whether head and file leave in full packets
     * @return what to wait for; the caller closes it
     * @throws IOException if it cannot be started
     */
    static ServerProcess.Starting start(Path program, Host host, String name, Path root, boolean noPush)
            throws IOException {
        int port = ServerProcess.freePort();
        Path directory = Files.createDirectories(host.directory().resolve(noPush ? "nginx" : "nginx-push"));
        Path file = directory.resolve("nginx.conf");
        // By default the workers of a root process run as another user, which may not read the files.
        String user = System.getProperty("user.name").equals("root") ? "user root;\n" : "";
        Files.writeString(file, user
                + CONFIGURATION.formatted(quoted(directory), port, quoted(root), noPush ? "on" : "off"));
        return ServerProcess.program(host, name, port,
                List.of(program.toString(), "-c", file.toString(), "-e", "stderr", "-g", "daemon off;"));
    }

    private static String quoted(Path path) {
        return path.toString().replace(" ", "\\ ");
    }
}
