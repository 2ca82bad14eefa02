package dev.sluice.samples.dns;

import java.nio.ByteBuffer;

/**
 * A record of the class IN.
 *
 * @param owner the name it belongs to
 * @param type  its type
 * @param ttl   how long others may keep it, in seconds
 * @param data  what it says, in the form of its type
 */
record ResourceRecord(DomainName owner, RecordType type, int ttl, byte[] data) {

    static final int INTERNET = 1;
    /** Type, class, time to live and length of the data. */
    private static final int FIXED = 10;

    /** {@return the same with a time to live of this at most} */
    ResourceRecord keptFor(int seconds) {
        return new ResourceRecord(owner, type, Math.min(ttl, seconds), data);
    }

    /** {@return how many octets it takes, if its owner is written out} */
    int length() {
        return owner.length() + FIXED + data.length;
    }

    /** Writes what follows the owner. */
    void writeRest(ByteBuffer message) {
        message.putShort((short) type.number()).putShort((short) INTERNET).putInt(ttl);
        message.putShort((short) data.length).put(data);
    }
}
