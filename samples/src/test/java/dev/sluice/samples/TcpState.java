package dev.sluice.samples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the kernel knows of this side of a connection on this machine, from {@code /proc/net/tcp} and {@code tcp6}: the
 * JDK makes IPv4 connections with IPv6 sockets.
 *
 * @param unacknowledged bytes that were written and have not arrived at the other side
 * @param probing        whether the other side has no room at all
 * @param keptAlive      whether the other side is asked after a long silence whether it is still there
 */
public record TcpState(long unacknowledged, boolean probing, boolean keptAlive) {

    private static final List<Path> TABLES = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
    private static final String PROBING = "04";
    private static final String KEEP_ALIVE = "02";
    private static final String ESTABLISHED = "01";

    /** {@return the states of the connections to a port, by local port} */
    public static Map<Integer, TcpState> connectionsTo(int port) throws IOException {
        // The kernel lists all that have ended lately, too, which may be thousands.
        String remote = String.format(":%04X %s ", port, ESTABLISHED);
        Map<Integer, TcpState> states = new HashMap<>();
        for (Path table : TABLES) {
            for (String line : Files.exists(table) ? Files.readAllLines(table) : List.<String>of()) {
                if (!line.contains(remote)) {
                    continue;
                }
                String[] fields = line.strip().split(" +");
                int local = Integer.parseInt(fields[1].substring(fields[1].indexOf(':') + 1), 16);
                long queued = Long.parseLong(fields[4].substring(0, fields[4].indexOf(':')), 16);
                states.put(local, new TcpState(queued, fields[5].startsWith(PROBING),
                        fields[5].startsWith(KEEP_ALIVE)));
            }
        }
        return states;
    }
}
