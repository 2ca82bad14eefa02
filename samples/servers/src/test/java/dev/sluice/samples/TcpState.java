package dev.sluice.samples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
        Map<Integer, TcpState> states = new HashMap<>();
        for (String[] fields : established(port)) {
            if (port(fields[2]) == port) {
                states.put(port(fields[1]), new TcpState(number(fields[4], 0), fields[5].startsWith(PROBING),
                        fields[5].startsWith(KEEP_ALIVE)));
            }
        }
        return states;
    }

    /**
     * {@return the number of bytes that the kernel holds that were sent from a port of this machine to another and not
     * received, by that other port, of connections that both sides hold open}
     */
    public static Map<Integer, Long> queuedFrom(int port) throws IOException {
        Map<Integer, Long> sent = new HashMap<>();
        Map<Integer, Long> arrived = new HashMap<>();
        for (String[] fields : established(port)) {
            if (port(fields[1]) == port) {
                sent.put(port(fields[2]), number(fields[4], 0));
            } else if (port(fields[2]) == port) {
                arrived.put(port(fields[1]), number(fields[4], 1));
            }
        }
        sent.keySet().retainAll(arrived.keySet());
        arrived.forEach((client, count) -> sent.computeIfPresent(client, (key, queued) -> queued + count));
        return sent;
    }

    /** {@return the fields of each open connection from or to a port} */
    private static List<String[]> established(int port) throws IOException {
        // The kernel lists all that have ended lately, too, which may be thousands.
        String wanted = String.format(":%04X ", port);
        String open = " " + ESTABLISHED + " ";
        List<String[]> found = new ArrayList<>();
        for (Path table : TABLES) {
            for (String line : Files.exists(table) ? Files.readAllLines(table) : List.<String>of()) {
                String[] fields = line.contains(wanted) && line.contains(open) ? line.strip().split(" +") : null;
                if (fields != null && fields[3].equals(ESTABLISHED)) {
                    found.add(fields);
                }
            }
        }
        return found;
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.indexOf(':') + 1), 16);
    }

    /** {@return one of two numbers with a colon between them} */
    private static long number(String pair, int index) {
        return Long.parseLong(pair.split(":")[index], 16);
    }
}
