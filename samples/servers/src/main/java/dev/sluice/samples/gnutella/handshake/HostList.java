package dev.sluice.samples.gnutella.handshake;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The value of {@code X-Try}: addresses and ports, separated by commas; IPv6 addresses have brackets. Names are
 * skipped, because they are not looked up.
 */
final class HostList {

    /** The most that are taken. */
    static final int MAX_HOSTS = 32;

    private static final Pattern HOST = Pattern.compile(
            "\\s*(?:(\\d{1,3}(?:\\.\\d{1,3}){3})|\\[([0-9A-Fa-f:.]{2,45})]):(\\d{1,5})\\b.*");
    private static final Pattern DOT = Pattern.compile("\\.");
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
            InetSocketAddress host = hosts.size() < MAX_HOSTS ? host(HOST.matcher(each)) : null;
            if (host != null) {
                hosts.add(host);
            }
        }
        return hosts;
    }

    private static InetSocketAddress host(Matcher text) {
        if (!text.matches()) {
            return null;
        }
        // In brackets, nothing is taken for a name that would have to be looked up.
        InetAddress address = text.group(1) == null ? numeric("[" + text.group(2) + "]", text.group(2).contains(":"))
                : numeric(text.group(1), areBytes(text.group(1)));
        int port = Integer.parseInt(text.group(3));
        return address == null || port > LARGEST_PORT ? null : new InetSocketAddress(address, port);
    }

    private static boolean areBytes(String numbers) {
        return DOT.splitAsStream(numbers).allMatch(number -> Integer.parseInt(number) <= LARGEST_BYTE);
    }

    /** {@return the address; null if it is none} What looks like one is never looked up. */
    private static InetAddress numeric(String text, boolean looksLikeOne) {
        try {
            return looksLikeOne ? InetAddress.getByName(text) : null;
        } catch (UnknownHostException e) {
            return null;
        }
    }

    /** {@return such a value} */
    static String show(List<InetSocketAddress> hosts) {
        return hosts.stream().map(host -> show(host.getAddress()) + ":" + host.getPort())
                .collect(Collectors.joining(","));
    }

    private static String show(InetAddress address) {
        return address instanceof Inet6Address ? "[" + address.getHostAddress() + "]" : address.getHostAddress();
    }
}
