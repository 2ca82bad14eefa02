package dev.sluice.samples.gnutella.handshake;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The value of {@code X-Try}: addresses and ports, separated by commas. Names are left out: nobody looks them up. */
final class HostList {

    /** The most that are taken. */
    static final int MOST = 32;

    private static final Pattern HOST = Pattern.compile(
            "\\s*(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3}):(\\d{1,5})\\b.*");
    private static final int BYTES = 4;
    private static final int LARGEST_BYTE = 255;
    private static final int LARGEST_PORT = 65_535;

    private HostList() {
    }

    /** {@return the hosts in a value; none if it is null} */
    static List<InetSocketAddress> parse(String value) {
        List<InetSocketAddress> hosts = new ArrayList<>();
        if (value == null) {
            return hosts;
        }
        for (String each : value.split(",")) {
            InetSocketAddress host = host(HOST.matcher(each));
            if (host != null && hosts.size() < MOST) {
                hosts.add(host);
            }
        }
        return hosts;
    }

    private static InetSocketAddress host(Matcher text) {
        if (!text.matches()) {
            return null;
        }
        byte[] address = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            int value = Integer.parseInt(text.group(i + 1));
            if (value > LARGEST_BYTE) {
                return null;
            }
            address[i] = (byte) value;
        }
        int port = Integer.parseInt(text.group(BYTES + 1));
        return port > LARGEST_PORT ? null : new InetSocketAddress(numeric(address), port);
    }

    private static InetAddress numeric(byte[] address) {
        try {
            return InetAddress.getByAddress(address);
        } catch (UnknownHostException e) {
            throw new AssertionError("four bytes are an address", e);
        }
    }

    /** {@return such a value} */
    static String show(List<InetSocketAddress> hosts) {
        return hosts.stream().map(host -> host.getAddress().getHostAddress() + ":" + host.getPort())
                .collect(Collectors.joining(","));
    }
}
