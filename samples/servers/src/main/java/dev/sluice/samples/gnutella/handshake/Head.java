package dev.sluice.samples.gnutella.handshake;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The lines of one side up to an empty one.
 *
 * @param firstLine without its end
 * @param headers   by their names in lower case; what is no header is left out, and of several with one name the last
 *                  counts
 */
record Head(String firstLine, Map<String, String> headers) {

    static final String BYE_PACKET = "Bye-Packet";
    static final String X_TRY = "X-Try";
    static final String USER_AGENT = "User-Agent";

    /** How lines end in 0.6. */
    static final String END = "\r\n";

    static Head of(List<String> lines) {
        Map<String, String> headers = new HashMap<>();
        for (String line : lines.subList(1, lines.size())) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.put(line.substring(0, colon).strip().toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
        }
        return new Head(lines.get(0), headers);
    }

    /** {@return the value of a header, or null} */
    String header(String name) {
        return headers.get(name.toLowerCase(Locale.ROOT));
    }

    /** {@return what is known of the one who has sent it} */
    Neighbour neighbour() {
        return new Neighbour(header(BYE_PACKET) != null, HostList.parse(header(X_TRY)));
    }
}
