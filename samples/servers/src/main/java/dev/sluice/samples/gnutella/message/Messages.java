package dev.sluice.samples.gnutella.message;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The messages that a router creates. */
public final class Messages {

    private static final int CODE_BYTES = 2;

    private Messages() {
    }

    /**
     * Creates a ping.
     *
     * @param guid by which the answers will be known
     * @param ttl  from 1 to 255
     * @return the message
     */
    public static Message ping(Guid guid, int ttl) {
        return new Message(MessageType.PING, begun(guid, MessageType.PING, ttl, 0));
    }

    /**
     * Creates the answer of a servent without files. It has no field for an IPv6 address, which becomes an extension,
     * beside an IPv4 address that says so, as other servents do it.
     *
     * @param guid    of the question
     * @param ttl     as far as the question has come, from 1 to 255
     * @param address the address to connect to
     * @param port    the same
     * @return the message
     */
    public static Message pong(Guid guid, int ttl, InetAddress address, int port) {
        int length = Message.PONG_LENGTH + (address instanceof Inet6Address ? Extensions.ADDRESS_BLOCK : 0);
        ByteBuffer bytes = begun(guid, MessageType.PONG, ttl, length);
        bytes.putShort(Short.reverseBytes((short) port));
        if (address instanceof Inet6Address inet) {
            bytes.putInt(Message.NO_ADDRESS).position(Message.HEADER + Message.PONG_LENGTH);
            Extensions.putAddress(inet, bytes);
        } else {
            bytes.put(address.getAddress());
        }
        return new Message(MessageType.PONG, bytes);
    }

    /**
     * Creates a goodbye, which goes to a neighbour and no further.
     *
     * @param code   as in HTTP
     * @param reason in ASCII, one line
     * @return the message
     */
    public static Message bye(int code, String reason) {
        byte[] text = reason.getBytes(StandardCharsets.US_ASCII);
        // With the zero that ends it.
        ByteBuffer bytes = begun(Guid.random(), MessageType.BYE, 1, CODE_BYTES + text.length + 1);
        bytes.putShort(Short.reverseBytes((short) code)).put(text);
        return new Message(MessageType.BYE, bytes);
    }

    private static ByteBuffer begun(Guid guid, MessageType type, int ttl, int length) {
        return ByteBuffer.allocate(Message.HEADER + length).putLong(guid.high()).putLong(guid.low())
                .put((byte) type.code()).put((byte) ttl).put((byte) 0).putInt(Integer.reverseBytes(length));
    }
}
