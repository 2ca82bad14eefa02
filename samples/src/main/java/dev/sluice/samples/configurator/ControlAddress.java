package dev.sluice.samples.configurator;

import dev.sluice.samples.server.ServerOptions;
import java.net.InetSocketAddress;
import picocli.CommandLine.ParameterException;

/** Where a server can be told to read its configuration anew. */
public final class ControlAddress {

    private static final String LOOPBACK = "127.0.0.1";

    private ControlAddress() {
    }

    /**
     * Understands an option.
     *
     * @param option  its name
     * @param text    {@code PORT}, for this machine alone, or {@code HOST:PORT}; an IPv6 address has brackets, and 0 is
     *                any free port; null if it was not given
     * @param options make the exception
     * @return the address; null if the text is
     * @throws ParameterException if it is none, or the host name does not resolve
     */
    public static InetSocketAddress of(String option, String text, ServerOptions options) {
        if (text == null) {
            return null;
        }
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? LOOPBACK : text.substring(0, colon).replaceAll("^\\[|]$", "");
        String port = text.substring(colon + 1);
        if (host.isBlank() || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > ServerOptions.LARGEST_PORT) {
            throw options.bad(option + " must be PORT or HOST:PORT, not '" + text + "'");
        }
        InetSocketAddress address = new InetSocketAddress(host, Integer.parseInt(port));
        if (address.isUnresolved()) {
            throw options.bad(option + " " + text + ": the name does not resolve");
        }
        return address;
    }
}
