package dev.sluice.samples.gnutella.handshake;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * The properties of the other side.
 *
 * @param knowsBye whether it accepts a message with the reason before it is closed
 * @param others   whom it knows
 */
public record Neighbour(boolean knowsBye, List<InetSocketAddress> others) {

    /** One that speaks 0.4, and says nothing. */
    static final Neighbour SILENT = new Neighbour(false, List.of());
}
