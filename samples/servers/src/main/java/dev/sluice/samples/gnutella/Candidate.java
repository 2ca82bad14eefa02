package dev.sluice.samples.gnutella;

import dev.sluice.samples.gnutella.handshake.Version;
import java.net.InetSocketAddress;

/**
 * A host that the catcher may connect to.
 *
 * @param address the address
 * @param version to greet it in
 * @param given   whether this host was given on the command line
 */
record Candidate(InetSocketAddress address, Version version, boolean given) {
}
