package dev.sluice.samples.server;

import dev.sluice.calls.Bindings;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** The one line on standard output that reports that a server accepts connections, and where. */
public final class ReadyLine {

    private ReadyLine() {
    }

    /**
     * Prints it.
     *
     * @param out           takes the line
     * @param server        the sample's name
     * @param address       the address it listens on
     * @param demultiplexer the demultiplexer
     */
    public static void print(PrintStream out, String server, SocketAddress address, String demultiplexer) {
        out.println("ready: " + server + " on " + show(address) + " (" + demultiplexer + ", "
                + Bindings.current().name() + ", java " + Runtime.version().feature() + ")");
        out.flush();
    }

    private static String show(SocketAddress address) {
        if (address instanceof InetSocketAddress inet) {
            String host = inet.getAddress().getHostAddress();
            return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + inet.getPort();
        }
        return address.toString();
    }
}
