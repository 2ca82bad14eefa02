package dev.sluice.samples.gnutella.message;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The part of the Gnutella Generic Extension Protocol (GGEP) that a router needs: an IPv6 address, as the extension
 * {@code 6}. A block of extensions begins with a mark. Each of them has flags with the length of its name, the name, up
 * to three bytes with six bits each of its length, and its data.
 */
final class Extensions {

    /** How many bytes a block has with an IPv6 address and nothing else. */
    static final int ADDRESS_BLOCK = 20;

    private static final byte MARK = (byte) 0xC3;
    private static final int LAST = 0x80;
    /** The data is encoded without zeros, or compressed. Addresses are never sent so. */
    private static final int CHANGED = 0x60;
    private static final int NAME_LENGTH = 0x0F;
    private static final String ADDRESS = "6";
    private static final int ADDRESS_BYTES = 16;

    private static final int MAX_LENGTH_BYTES = 3;
    private static final int LENGTH_BITS = 6;
    private static final int LENGTH_PART = 0x3F;
    private static final int LENGTH_ENDS = 0x40;

    private Extensions() {
    }

    /**
     * Appends a block with an address.
     *
     * @param address the address
     * @param target  with space for {@link #ADDRESS_BLOCK} bytes
     */
    static void putAddress(Inet6Address address, ByteBuffer target) {
        target.put(MARK).put((byte) (LAST | ADDRESS.length())).put(ADDRESS.getBytes(StandardCharsets.US_ASCII))
                .put((byte) (LENGTH_ENDS | ADDRESS_BYTES)).put(address.getAddress());
    }

    /**
     * Looks for an address.
     *
     * @param block from position to limit, which is anything that a stranger has sent; the position is changed
     * @return the address; null if there is none
     */
    static InetAddress address(ByteBuffer block) {
        if (!block.hasRemaining() || block.get() != MARK) {
            return null;
        }
        int flags = 0;
        while ((flags & LAST) == 0 && block.hasRemaining()) {
            flags = block.get();
            String name = text(block, flags & NAME_LENGTH);
            int length = name == null ? -1 : length(block);
            if (length < 0 || length > block.remaining()) {
                return null;
            }
            if (name.equals(ADDRESS) && length >= ADDRESS_BYTES && (flags & CHANGED) == 0) {
                return address(bytes(block, ADDRESS_BYTES));
            }
            block.position(block.position() + length);
        }
        return null;
    }

    private static String text(ByteBuffer block, int length) {
        return length > block.remaining() ? null : new String(bytes(block, length), StandardCharsets.ISO_8859_1);
    }

    private static byte[] bytes(ByteBuffer block, int length) {
        byte[] bytes = new byte[length];
        block.get(bytes);
        return bytes;
    }

    /** {@return the length that comes next; -1 if there is none} */
    private static int length(ByteBuffer block) {
        int length = 0;
        for (int i = 0; i < MAX_LENGTH_BYTES && block.hasRemaining(); i++) {
            int next = block.get();
            length = length << LENGTH_BITS | next & LENGTH_PART;
            if ((next & LENGTH_ENDS) != 0) {
                return length;
            }
        }
        return -1;
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError("sixteen bytes are an address", e);
        }
    }
}
