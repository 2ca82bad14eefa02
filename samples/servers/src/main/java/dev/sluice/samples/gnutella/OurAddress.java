package dev.sluice.samples.gnutella;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.function.Predicate;

/** Recognizes the address of this router if a peer announces it, so that the router does not connect to itself. */
final class OurAddress implements Predicate<InetSocketAddress> {

    private final InetSocketAddress listening;

    OurAddress(InetSocketAddress listening) {
        this.listening = listening;
    }

    int port() {
        return listening.getPort();
    }

    @Override
    public boolean test(InetSocketAddress host) {
        return host.getPort() == listening.getPort() && (listening.getAddress().isAnyLocalAddress()
                ? isOfThisMachine(host.getAddress()) : listening.getAddress().equals(host.getAddress()));
    }

    private static boolean isOfThisMachine(InetAddress address) {
        try {
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            // Unknown: connecting will show.
            return false;
        }
    }
}
