package dev.sluice.samples.logging;

import dev.sluice.samples.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the kernel knows of the server's side of a connection. */
final class ServerSide {

    private static final String CLOSE_WAIT = "08";

    private ServerSide() {
    }

    /** Waits until the kernel has the end of what the client has sent. */
    static void awaitEndOfInput(int port, int clientPort) throws Exception {
        Patience.until("the end of the stream has arrived", () -> CLOSE_WAIT.equals(state(port, clientPort)));
    }

    private static String state(int port, int clientPort) throws IOException {
        // The kernel lists all that have ended lately, too, which may be thousands.
        String client = String.format(":%04X ", clientPort);
        String local = String.format(":%04X", port);
        for (Path table : List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"))) {
            for (String line : Files.exists(table) ? Files.readAllLines(table) : List.<String>of()) {
                if (line.contains(client)) {
                    String[] fields = line.strip().split(" +");
                    if (fields[1].endsWith(local) && fields[2].endsWith(client.strip())) {
                        return fields[3];
                    }
                }
            }
        }
        return null;
    }
}
