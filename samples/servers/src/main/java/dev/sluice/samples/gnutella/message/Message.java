package dev.sluice.samples.gnutella.message;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/** A message as it was received, or made. It never changes, so that any number of threads may send it. */
public final class Message {

    /** Number of bytes that come before the payload. */
    public static final int HEADER = 23;

    static final int TYPE_AT = Guid.BYTES;
    static final int TTL_AT = 17;
    static final int HOPS_AT = 18;
    static final int LENGTH_AT = 19;

    /** Number of bytes that the payload of a pong has, without extensions. */
    static final int PONG_LENGTH = 14;
    /**
     * 127.0.0.0, which is no host's address: its sender has no IPv4 address, and sends an extension with another one.
     */
    static final int NO_ADDRESS = 0x7F00_0000;

    private static final int PORT_BYTES = 2;
    private static final int ADDRESS_BYTES = 4;
    private static final int MAX_HOPS = 255;

    private final MessageType type;
    private final ByteBuffer bytes;

    /**
     * Creates a message.
     *
     * @param type  that the header says
     * @param bytes header and payload, big-endian, from 0 to the limit; belongs to the message from now on
     */
    Message(MessageType type, ByteBuffer bytes) {
        this.type = type;
        this.bytes = bytes;
    }

    /** {@return what it is} */
    public MessageType type() {
        return type;
    }

    /** {@return what tells it from others of its type; a reply has that of what it replies to} */
    public Guid guid() {
        return Guid.read(bytes, 0);
    }

    /** {@return how many more times it may be sent, this one included; from 0 to 255} */
    public int ttl() {
        return bytes.get(TTL_AT) & 0xFF;
    }

    /** {@return the number of times that it has been sent on; from 0 to 255} */
    public int hops() {
        return bytes.get(HOPS_AT) & 0xFF;
    }

    /** {@return the number of bytes that it has, with the header} */
    public int size() {
        return bytes.limit();
    }

    /** {@return the number of bytes that the payload has} */
    public int length() {
        return size() - HEADER;
    }

    /**
     * Appends it as it is to be sent on: one hop further, with another TTL.
     *
     * @param ttl    from 1 to 255
     * @param target big-endian, with room for {@link #size()} bytes
     */
    public void sendOn(int ttl, ByteBuffer target) {
        int start = target.position();
        target.put(start, bytes, 0, size()).position(start + size());
        target.put(start + TTL_AT, (byte) ttl).put(start + HOPS_AT, (byte) Math.min(MAX_HOPS, hops() + 1));
    }

    /**
     * Appends it as it is.
     *
     * @param target with room for {@link #size()} bytes
     */
    public void send(ByteBuffer target) {
        int start = target.position();
        target.put(start, bytes, 0, size()).position(start + size());
    }

    /** {@return the address in a pong; null if there is none} The port may be 0, which no host has. */
    public InetSocketAddress address() {
        int port = Short.toUnsignedInt(Short.reverseBytes(bytes.getShort(HEADER)));
        InetAddress address = bytes.getInt(HEADER + PORT_BYTES) == NO_ADDRESS
                ? Extensions.address(bytes.duplicate().position(HEADER + PONG_LENGTH)) : shortAddress();
        return address == null ? null : new InetSocketAddress(address, port);
    }

    private InetAddress shortAddress() {
        byte[] address = new byte[ADDRESS_BYTES];
        bytes.get(HEADER + PORT_BYTES, address);
        try {
            return InetAddress.getByAddress(address);
        } catch (UnknownHostException e) {
            throw new AssertionError("four bytes are an address", e);
        }
    }

    /** {@return the servent that a push asks, or that has answered by hits} */
    public Guid servent() {
        return Guid.read(bytes, type == MessageType.PUSH ? HEADER : size() - Guid.BYTES);
    }

    /** {@return for example {@code QUERY, TTL 5, hops 2, 12 bytes}} */
    @Override
    public String toString() {
        return type + ", TTL " + ttl() + ", hops " + hops() + ", " + length() + " bytes";
    }
}
