package dev.sluice.benchmarks.load;

import dev.sluice.calls.Platform;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/**
 * The addresses that connections come from, in turn. A port stays taken for a minute after its connection was closed,
 * but only together with its address.
 */
final class SourceAddresses {

    private static final int COUNT = 200;

    private final List<InetSocketAddress> addresses = new ArrayList<>();
    private int next;

    SourceAddresses() {
        // Elsewhere the loopback interface has only its first address.
        if (Platform.CURRENT.os() == Platform.Os.LINUX) {
            for (int i = 0; i < COUNT; i++) {
                addresses.add(new InetSocketAddress(loopback((byte) (i + 2)), 0));
            }
        }
    }

    private static InetAddress loopback(byte last) {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, last});
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of four bytes", e);
        }
    }

    /** {@return the next one; null if the system is to choose} */
    InetSocketAddress next() {
        if (addresses.isEmpty()) {
            return null;
        }
        next = next + 1 == addresses.size() ? 0 : next + 1;
        return addresses.get(next);
    }
}
