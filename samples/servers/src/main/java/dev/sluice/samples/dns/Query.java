package dev.sluice.samples.dns;

import java.nio.ByteBuffer;

/**
 * A question, as a client has asked it (RFC 1035 section 4.1.2).
 *
 * @param name        that is asked about
 * @param type        of the records that are asked for
 * @param recordClass of the same
 * @param end         where the question ends in the message
 * @param extension   what else the client understands (RFC 6891); null if it has said nothing
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
     * @throws MalformedMessage if it is not one question and nothing else but additional records
     */
    static Query read(ByteBuffer message) throws MalformedMessage {
        if (count(message, 0) != 1 || count(message, 1) != 0 || count(message, 2) != 0) {
            throw new MalformedMessage("not one question without answers");
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
            throw new MalformedMessage("octets behind the end");
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
            throw new MalformedMessage("cut in a record");
        }
    }
}
