package dev.sluice.samples.logging;

import dev.sluice.samples.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
        List<String> lines = new ArrayList<>();
        for (Path table : List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"))) {
            if (Files.exists(table)) {
                lines.addAll(Files.readAllLines(table));
            }
        }
        for (String line : lines) {
            String[] fields = line.strip().split(" +");
            if (fields[1].endsWith(String.format(":%04X", port))
                    && fields[2].endsWith(String.format(":%04X", clientPort))) {
                return fields[3];
            }
        }
        return null;
    }
}
