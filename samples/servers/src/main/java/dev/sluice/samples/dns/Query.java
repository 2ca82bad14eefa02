package dev.sluice.samples.dns;

import java.nio.ByteBuffer;

/**
 * A question of a client (RFC 1035 section 4.1.2).
 *
 * @param name the name
 * @param type the type of the requested records
 * @param recordClass the class of the requested records
 * @param end         the end of the question in the message
 * @param extension   the client's extension (RFC 6891); null if there is none
 */
record Query(DomainName name, int type, int recordClass, int end, Extension extension) {

    /** The length of the header, which every message has. */
    static final int HEADER = 12;

    private static final int COUNTS = 4;

    /**
     * The pseudo-record OPT.
     *
     * @param payload the longest reply that the client takes, in octets
     * @param version of the extension
     */
    record Extension(int payload, int version) {
    }

    /**
     * Reads a query of the kind QUERY.
     *
     * @param message from its first octet to its limit, with a whole header
     * @throws MalformedMessage if it is not a single question with additional records at most
     */
    static Query read(ByteBuffer message) throws MalformedMessage {
        if (count(message, 0) != 1 || count(message, 1) != 0 || count(message, 2) != 0) {
            throw new MalformedMessage("not a single question without answers");
        }
        message.position(HEADER);
        DomainName name = DomainName.read(message);
        if (message.position() - HEADER != name.length()) {
            throw new MalformedMessage("a question that points into the header");
        }
        require(message, 4);
        int type = message.getShort() & 0xFFFF;
        int recordClass = message.getShort() & 0xFFFF;
        int end = message.position();
        Extension extension = null;
        for (int i = count(message, 3); i > 0; i--) {
            Extension found = readAdditional(message);
            if (found != null && extension != null) {
                throw new MalformedMessage("a second OPT");
            }
            extension = found != null ? found : extension;
        }
        if (message.hasRemaining()) {
            throw new MalformedMessage("octets after the end");
        }
        return new Query(name, type, recordClass, end, extension);
    }

    private static int count(ByteBuffer message, int section) {
        return message.getShort(COUNTS + section * Short.BYTES) & 0xFFFF;
    }

    private static Extension readAdditional(ByteBuffer message) throws MalformedMessage {
        DomainName owner = DomainName.read(message);
        require(message, 10);
        int type = message.getShort() & 0xFFFF;
        int payload = message.getShort() & 0xFFFF;
        int version = message.getInt() >>> 16 & 0xFF;
        int length = message.getShort() & 0xFFFF;
        require(message, length);
        message.position(message.position() + length);
        if (type != RecordType.OPT) {
            return null;
        }
        if (!owner.equals(DomainName.ROOT)) {
            throw new MalformedMessage("an OPT that is not the root's");
        }
        return new Extension(payload, version);
    }

    private static void require(ByteBuffer message, int octets) throws MalformedMessage {
        if (message.remaining() < octets) {
            throw new MalformedMessage("truncated in a record");
        }
    }
}
