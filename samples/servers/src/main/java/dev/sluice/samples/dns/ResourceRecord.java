package dev.sluice.samples.dns;

import java.nio.ByteBuffer;

/**
 * A record of the class IN.
 *
 * @param owner the name that it belongs to
 * @param type  its type
 * @param ttl   the time for which it may be cached, in seconds
 * @param data  its data, in the format of its type
 */
record ResourceRecord(DomainName owner, RecordType type, int ttl, byte[] data) {

    static final int INTERNET = 1;
    /** Type, class, time to live and length of the data. */
    private static final int FIXED = 10;

    /** {@return the same with at most this time to live} */
    ResourceRecord keptFor(int seconds) {
        return new ResourceRecord(owner, type, Math.min(ttl, seconds), data);
    }

    /** {@return its length in octets, with an uncompressed owner} */
    int length() {
        return owner.length() + FIXED + data.length;
    }

    /** Writes everything after the owner. */
    void writeRest(ByteBuffer message) {
        message.putShort((short) type.number()).putShort((short) INTERNET).putInt(ttl);
        message.putShort((short) data.length).put(data);
    }
}
