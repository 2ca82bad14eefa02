package dev.sluice.benchmarks.datagrams;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The number of datagrams that Linux has dropped because a socket was full (SO_RXQ_OVFL), for every contestant. */
final class KernelDrops {

    private static final Path SOCKETS = Path.of("/proc/net/udp");
    private static final int LOCAL_ADDRESS = 1;

    private KernelDrops() {
    }

    /** {@return whether this system reports them} */
    static boolean areTold() {
        return Files.isReadable(SOCKETS);
    }

    /**
     * {@return how many were dropped since the socket was opened}
     *
     * @param port of the socket
     */
    static long of(int port) throws IOException {
        String wanted = String.format(Locale.ROOT, ":%04X", port);
        List<String> lines = Files.readAllLines(SOCKETS);
        for (String line : lines) {
            String[] columns = line.strip().split("\\s+");
            if (columns[LOCAL_ADDRESS].endsWith(wanted)) {
                return Long.parseLong(columns[columns.length - 1]);
            }
        }
        throw new IOException(SOCKETS + " does not list port " + port);
    }
}
