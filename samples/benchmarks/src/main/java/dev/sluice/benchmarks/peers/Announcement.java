package dev.sluice.benchmarks.peers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The line on standard output that contains the port of a server: the same as that of the samples. */
public final class Announcement {

    /** Connections that may wait to be accepted: the system's maximum. */
    public static final int BACKLOG = 65_535;

    private static final Pattern PORT = Pattern.compile(" on 127\\.0\\.0\\.1:(\\d+)");

    private Announcement() {
    }

    /**
     * Prints it.
     *
     * @param server  its name
     * @param address the address it listens on
     */
    public static void print(String server, SocketAddress address) {
        System.out.println("ready: " + server + " on 127.0.0.1:" + ((InetSocketAddress) address).getPort());
        System.out.flush();
    }

    /**
     * {@return the port}
     *
     * @param line that was printed
     * @throws IOException if it is something else
     */
    static int port(String line) throws IOException {
        Matcher matcher = PORT.matcher(line);
        if (!matcher.find()) {
            throw new IOException("expected a line with the port of the server, got: " + line);
        }
        return Integer.parseInt(matcher.group(1));
    }
}
