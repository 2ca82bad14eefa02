package dev.sluice.samples.gnutella;

import dev.sluice.samples.gnutella.message.Message;
import dev.sluice.samples.gnutella.message.MessageType;

/** Which messages no router may send on, whatever its tables say. */
final class Screening {

    /** The highest TTL of a broadcast. */
    static final int MAX_TTL = 15;

    private Screening() {
    }

    /** {@return why a message is to be dropped; null if it is not} */
    static DropReason reason(Message message) {
        if (message.ttl() == 0) {
            return DropReason.TTL_0;
        }
        if (message.type().isBroadcast() && message.ttl() > MAX_TTL) {
            return DropReason.TTL_TOO_HIGH;
        }
        if (message.type() == MessageType.QUERY && message.length() > MessageType.USUAL) {
            return DropReason.LONG_QUERY;
        }
        return null;
    }
}
