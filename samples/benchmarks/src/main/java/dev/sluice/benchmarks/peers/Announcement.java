package dev.sluice.benchmarks.peers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The line on standard output by which a server tells its port: the same as that of the samples. */
public final class Announcement {

    /** Connections that may wait to be accepted: as many as the system lets there be. */
    public static final int BACKLOG = 65_535;

    private static final Pattern PORT = Pattern.compile(" on 127\\.0\\.0\\.1:(\\d+)");

    private Announcement() {
    }

    /**
     * Prints it.
     *
     * @param server  its name
     * @param address where it accepts
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
            throw new IOException("a server says where it accepts, but this one says: " + line);
        }
        return Integer.parseInt(matcher.group(1));
    }
}
